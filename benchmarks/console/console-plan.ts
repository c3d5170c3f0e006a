/** How much is measured. */
export interface ConsolePlan {
  readonly machines: number;
  /** How often the list is opened with nothing in the browser's cache. */
  readonly paints: number;
  readonly updatesPerSecond: number;
  readonly frameSeconds: number;
  /** How often `smalt up` is started on an empty data directory. */
  readonly starts: number;
}

/** A full run takes two minutes or so, a quick one half a minute. */
export function planConsole(isQuick: boolean): ConsolePlan {
  if (isQuick) return { machines: 200, paints: 2, updatesPerSecond: 100, frameSeconds: 3, starts: 1 };
  return { machines: 1_000, paints: 5, updatesPerSecond: 100, frameSeconds: 10, starts: 3 };
}
