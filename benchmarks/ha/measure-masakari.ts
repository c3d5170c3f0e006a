import type { MasakariPlan } from './ha-plan.ts';
import type { MasakariResult } from './ha-result.ts';
import { startMasakari } from './masakari.ts';

/** Measures how many notifications masakari-api stores in a second; undefined where it is not installed. */
export async function measureMasakari(plan: MasakariPlan, signal: AbortSignal): Promise<MasakariResult | undefined> {
  await using masakari = await startMasakari(signal);
  if (masakari === undefined) return undefined;
  const times: number[] = [];
  const answers = new Set<number>();
  // The first round only warms up.
  for (let round = 0; round < 2; round++) {
    times.length = 0;
    const before = masakari.storedNotifications();
    const begin = performance.now();
    const end = begin + plan.seconds * 1_000;
    const send = async (): Promise<void> => {
      while (performance.now() < end) {
        signal.throwIfAborted();
        const sent = performance.now();
        answers.add(await masakari.notify(new Date()));
        times.push(performance.now() - sent);
      }
    };
    await Promise.all(Array.from({ length: plan.senders }, send));
    const seconds = (performance.now() - begin) / 1_000;
    const stored = masakari.storedNotifications() - before;
    if (round === 1) return resultOf({ times, answers, perSecond: stored / seconds });
  }
  return undefined;
}

function resultOf(measured: {
  readonly times: readonly number[];
  readonly answers: ReadonlySet<number>;
  readonly perSecond: number;
}): MasakariResult {
  const sorted = measured.times.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const answers = [...measured.answers].toSorted((one, other) => one - other);
  return { perSecond: measured.perSecond, p50Ms: at(0.5), p99Ms: at(0.99), answers };
}
