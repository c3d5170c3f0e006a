/** How much one browser, or all of them, may take. */
export interface ConsoleLimits {
  /** Connections at a time, of all browsers. */
  readonly mostConnections: number;
  /** Requests and streams at a time of one session. */
  readonly mostCallsOfSession: number;
  /** `/live` connections at a time of one session; a page has one. */
  readonly mostLiveOfSession: number;
  /** Logs and usage at a time of one user; a node tells 128 listeners. */
  readonly mostStreamsOfUser: number;
  /** Streams of the HA service at a time of one user; it tells 200 listeners. */
  readonly mostChangesOfUser: number;
  /** What one `/live` connection may follow at a time. */
  readonly mostFollows: number;
  /** What waits for a browser on one `/live` connection. */
  readonly mostWaitingBytes: number;
  /** How long a browser may take nothing before what waits is dropped, to be told anew later. */
  readonly patienceMs: number;
  /** How long after it was asked last the API server is asked again, at the latest, whether it knows who has something open. */
  readonly checkMs: number;
  /** Failures to sign in, in a minute: of one address before it is slowed down, of one token before it is refused. */
  readonly signInsPerMinute: number;
  /** Sessions that one user may begin in 12 hours, so long does one last. */
  readonly sessionsOfUser: number;
  readonly mostBodyBytes: number;
}

export const DEFAULT_LIMITS: ConsoleLimits = {
  mostConnections: 2_000,
  mostCallsOfSession: 200,
  mostLiveOfSession: 20,
  mostStreamsOfUser: 24,
  mostChangesOfUser: 10,
  mostFollows: 64,
  mostWaitingBytes: 4_194_304,
  patienceMs: 10_000,
  checkMs: 20_000,
  signInsPerMinute: 30,
  sessionsOfUser: 300,
  mostBodyBytes: 3_145_728,
};
