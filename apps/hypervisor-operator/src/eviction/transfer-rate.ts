import type { ComputeMove, MoveProgress } from '@smalt/compute';

const MIB = 1024 * 1024;

export interface MeasuredMove {
  readonly move: ComputeMove;
  readonly progress: MoveProgress;
}

/** How fast an eviction goes, measured between two looks. */
export interface TransferRate {
  readonly bytesPerSecond: number;
  readonly leftBytes: number;
}

interface Reading {
  readonly at: number;
  readonly sent: ReadonlyMap<string, number>;
}

/** Measures how fast the moves of one host send, from look to look. */
export class TransferMeter {
  #last: Reading | undefined;

  /** Takes a reading. The rate is undefined until something was sent between two of them. */
  read(moves: readonly MeasuredMove[], monotonicMs: number): TransferRate | undefined {
    const last = this.#last;
    this.#last = { at: monotonicMs, sent: new Map(moves.map(({ move, progress }) => [move.id, progress.sentBytes])) };
    const seconds = last === undefined ? 0 : (monotonicMs - last.at) / 1000;
    if (last === undefined || seconds <= 0) return undefined;
    const sent = moves.reduce((sum, { move, progress }) => {
      const before = last.sent.get(move.id);
      return before === undefined ? sum : sum + Math.max(0, progress.sentBytes - before);
    }, 0);
    if (sent === 0) return undefined;
    const leftBytes = moves.reduce((sum, { progress }) => sum + progress.leftBytes, 0);
    return { bytesPerSecond: sent / seconds, leftBytes };
  }
}

/** The rate as it is told in a status: in MiB/s, with the time that the rest takes at that rate. */
export function rateFields(
  rate: TransferRate | undefined,
  waitingMemoryMiB: number,
): { readonly mibPerSecond?: number; readonly secondsLeft?: number } {
  if (rate === undefined) return {};
  const leftBytes = rate.leftBytes + waitingMemoryMiB * MIB;
  return {
    mibPerSecond: Math.round(rate.bytesPerSecond / MIB),
    secondsLeft: Math.ceil(leftBytes / rate.bytesPerSecond),
  };
}
