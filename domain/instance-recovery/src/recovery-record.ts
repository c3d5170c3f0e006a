/** What is wrong with an instance. */
export const TroubleKind = {
  /** Its process or its guest has ended, and nobody asked for that. */
  crashed: 'crashed',
  /** It runs, and does nothing. */
  hung: 'hung',
  /** It stands still because it cannot read or write. */
  stalled: 'stalled',
} as const;
export type TroubleKind = (typeof TroubleKind)[keyof typeof TroubleKind];

export interface Trouble {
  readonly kind: TroubleKind;
  readonly at: number;
  /** Who has told it, in a few words: `libvirt: stopped/failed`. */
  readonly why: string;
  /** Whether its process has ended, so that a stop that comes later is another one. */
  readonly hasEnded: boolean;
}

export const RecoveryState = {
  /** Nothing is under way; there may be trouble that waits for its turn. */
  watching: 'watching',
  restarting: 'restarting',
  /** On its way to another host, until it runs there. */
  moving: 'moving',
  /** A person has to look. */
  failed: 'failed',
} as const;
export type RecoveryState = (typeof RecoveryState)[keyof typeof RecoveryState];

/** All that outlives a restart of the service about one instance. */
export interface RecoveryRecord {
  readonly instanceId: string;
  readonly host: string;
  readonly state: RecoveryState;
  readonly trouble: Trouble | undefined;
  /** When the last request was made; undefined when none is under way. */
  readonly askedAt: number | undefined;
  /** When it was restarted in place, and when it was moved, within the window. */
  readonly restarts: readonly number[];
  readonly moves: readonly number[];
  /** When it last began to run, by the service's clock and by that of its host. */
  readonly startedAt: number | undefined;
  readonly startedHostTime: number | undefined;
  /** Pings in a row that its guest agent missed, as last told; undefined while it is not silent. */
  readonly missedPings: number | undefined;
  /** A sentence for people. */
  readonly message: string;
}

export function newRecovery(instanceId: string, host: string): RecoveryRecord {
  return {
    instanceId,
    host,
    state: RecoveryState.watching,
    trouble: undefined,
    askedAt: undefined,
    restarts: [],
    moves: [],
    startedAt: undefined,
    startedHostTime: undefined,
    missedPings: undefined,
    message: 'nothing is wrong with it',
  };
}

/** Whether nothing happens to it until another event comes. */
export function isQuiet({ state, trouble }: RecoveryRecord): boolean {
  return state === 'watching' && trouble === undefined;
}
