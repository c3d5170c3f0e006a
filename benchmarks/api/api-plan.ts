/** How much of everything a run does. */
export interface ApiPlan {
  readonly startRounds: number;
  readonly settleMs: number;
  readonly writeRounds: number;
  readonly writes: Readonly<Record<'one' | 'many', number>>;
  readonly listedObjects: number;
  readonly lists: number;
  readonly watchRounds: number;
  readonly watch: { readonly events: number; readonly perSecond: number };
  readonly fanOut: { readonly watchers: number; readonly perSecond: number; readonly seconds: number };
  readonly controllerObjects: number;
}

/** How many clients write at a time when many do. */
export const MANY_CLIENTS = 16;

/** A full run takes some minutes, a quick one less than a minute where only ours is at hand. */
export function planApi(quick: boolean, rounds: number): ApiPlan {
  if (quick)
    return {
      startRounds: Math.min(rounds, 2),
      settleMs: 500,
      writeRounds: 1,
      writes: { one: 50, many: 200 },
      listedObjects: 500,
      lists: 5,
      watchRounds: 1,
      watch: { events: 50, perSecond: 50 },
      fanOut: { watchers: 20, perSecond: 50, seconds: 1 },
      controllerObjects: 1_000,
    };
  return {
    startRounds: Math.min(rounds, 7),
    settleMs: 15_000,
    writeRounds: Math.min(rounds, 5),
    writes: { one: 300, many: 1_500 },
    listedObjects: 5_000,
    lists: 15,
    watchRounds: Math.min(rounds, 5),
    watch: { events: 750, perSecond: 50 },
    fanOut: { watchers: 200, perSecond: 100, seconds: 10 },
    controllerObjects: 10_000,
  };
}
