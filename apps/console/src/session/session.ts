/** Who has signed in, as the cookie says: only this server can read or make one. */
export interface Session {
  /** Tells it from all others, also after a restart. */
  readonly id: string;
  /** What calls to the API server show. */
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}
