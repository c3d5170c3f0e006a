import type { ComputeMove } from '@smalt/compute';

import type { EvictionParts, EvictionPass } from './eviction-parts.ts';
import type { MeasuredMove, TransferRate } from './transfer-rate.ts';

/** Asks how far the open live moves are. What cannot be told is left out: it is only a number for people. */
export async function measure(
  { context: { compute, clock, ignore } }: EvictionParts,
  { notes, signal }: EvictionPass,
  open: readonly ComputeMove[],
): Promise<TransferRate | undefined> {
  const running = open.filter(({ isLive, state }) => isLive && state === 'running');
  const measured = await Promise.all(
    running.map(async (move): Promise<readonly MeasuredMove[]> => {
      try {
        const progress = await compute.moves.progress(move, signal);
        return progress === undefined ? [] : [{ move, progress }];
      } catch (error) {
        ignore(error, 'the progress of a move is not known');
        return [];
      }
    }),
  );
  return notes.meter.read(measured.flat(), clock.monotonic());
}
