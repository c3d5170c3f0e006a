import type { ConsoleClock } from '../console-clock.ts';
import type { Outbox } from './outbox.ts';
import type { WaitingChanges } from './waiting-changes.ts';

/** What one follow stands on. */
export interface FollowContext {
  readonly outbox: Outbox;
  readonly slot: WaitingChanges;
  readonly clock: ConsoleClock;
  readonly random: () => number;
  /** Told when the user was not known: whether the session is over has to be found out. */
  readonly onUserUnknown: () => void;
  /** Told when a browser was so slow that what waited for it was dropped. */
  readonly onDropped: () => void;
}

/** One attempt at following. It calls `onComplete` when all there is was told, and ends by throwing, or with the signal. */
export type Attempt = (onComplete: () => void, signal: AbortSignal) => Promise<void>;
