import type { Answer } from '../../switch-facts.ts';

export type ConnectionState = 'connected' | 'not connected';

/** What ovn-controller has said of its connection to the southbound database. */
export interface ConnectionHistory {
  readonly state: ConnectionState;
  readonly since: number;
  readonly lastAt: number;
  /** When it changed, within the window, oldest first. */
  readonly changes: readonly number[];
}

export interface FlapSettings {
  readonly flapChanges: number;
  readonly flapWindowMs: number;
}

/** So many changes are kept; a connection that changes more often than that is flapping by any measure. */
const MAXIMUM_CHANGES = 64;
/** Once it is connected for so long, and for much longer than it was between losses, flapping is over. */
const LEAST_QUIET_MS = 30_000;
const QUIET_FACTOR = 2;

/** Adds an answer to the history. One that was heard before, and none at all, leave it as it is. */
export function advanceConnection(
  old: ConnectionHistory | undefined,
  answer: Answer<ConnectionState>,
  settings: FlapSettings,
): ConnectionHistory | undefined {
  if (answer.kind === 'unknown' || (old !== undefined && answer.at <= old.lastAt)) return old;
  const { value: state, at } = answer;
  if (old === undefined) return { state, since: at, lastAt: at, changes: [] };
  if (state !== old.state) {
    const changes = [...recent(old.changes, at, settings), at].slice(-MAXIMUM_CHANGES);
    return { state, since: at, lastAt: at, changes };
  }
  const isCalm = isFlapping(old, settings) && state === 'connected' && at - old.since >= quietMs(old.changes);
  return { ...old, lastAt: at, changes: isCalm ? [] : recent(old.changes, at, settings) };
}

/** Whether it comes and goes, as with a remote that accepts connections and answers nothing. */
export function isFlapping({ changes }: ConnectionHistory, { flapChanges }: FlapSettings): boolean {
  return changes.length >= flapChanges;
}

/** Whether it is as it is for so short a time that nobody can tell whether it comes and goes. */
export function isTooYoung({ since, lastAt }: ConnectionHistory): boolean {
  return lastAt - since < LEAST_QUIET_MS;
}

// A remote that hangs is called connected for as long as the probe takes, which each deployment sets otherwise.
function quietMs(changes: readonly number[]): number {
  const newestFirst = changes.toReversed();
  const stretches = newestFirst.slice(0, -1).map((end, index) => end - (newestFirst[index + 1] ?? end));
  // It is connected now, so the stretch before was not, the one before that was, and so on.
  const connected = stretches.filter((_stretch, index) => index % 2 === 1);
  return Math.max(LEAST_QUIET_MS, QUIET_FACTOR * Math.max(0, ...connected));
}

function recent(changes: readonly number[], at: number, { flapWindowMs }: FlapSettings): readonly number[] {
  return changes.filter((change) => at - change < flapWindowMs);
}
