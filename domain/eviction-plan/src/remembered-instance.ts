/** How the move of an instance stands, as it is told in the status of an eviction. */
export const RememberedState = {
  /** It waits for its turn, for a while after a failure, or for something that ends by itself. */
  waiting: 'Waiting',
  moving: 'Moving',
  confirming: 'Confirming',
  aborting: 'Aborting',
  /** It cannot be moved as it is now. It goes on by itself when that changes. */
  failed: 'Failed',
  /** It cannot be moved, or was tried too often. */
  nonMigratable: 'NonMigratable',
} as const;
export type RememberedState = (typeof RememberedState)[keyof typeof RememberedState];

/** What is known of an instance beyond what the compute system tells; it is kept in the status, over restarts too. */
export interface RememberedInstance {
  readonly id: string;
  readonly name?: string;
  readonly state: RememberedState;
  /** How many times we began to move it. */
  readonly attempts: number;
  /** RFC 3339: since when it is in this state. */
  readonly since?: string;
  readonly message?: string;
  /** The id of the newest move when ours was asked for: a move with another id is ours, whatever the clocks say. */
  readonly move?: string;
}

/** Whether a move was asked for, and is not known to be over. */
export function isInFlight({ state }: RememberedInstance): boolean {
  return state === RememberedState.moving || state === RememberedState.aborting || state === RememberedState.confirming;
}

/** Whether it stays on the host unless somebody does something. */
export function isGivenUp({ state }: RememberedInstance): boolean {
  return state === RememberedState.failed || state === RememberedState.nonMigratable;
}
