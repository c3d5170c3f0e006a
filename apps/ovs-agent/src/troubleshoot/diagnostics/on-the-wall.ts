/** What has a time in it, by the clock of the facts. */
interface Timed {
  readonly at?: number;
  readonly since?: number;
}

/** The same with its times by the clock on the wall, which is so far ahead: people are told those. */
export function onTheWall<T extends Timed>(told: T, wallAheadMs: number): T {
  const { at, since } = told;
  return {
    ...told,
    ...(at !== undefined && { at: at + wallAheadMs }),
    ...(since !== undefined && { since: since + wallAheadMs }),
  };
}
