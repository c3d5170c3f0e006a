import type { ComputeMove } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { rateFields, TransferMeter } from './transfer-rate.ts';

const MIB = 1024 * 1024;

describe('TransferMeter', () => {
  it('measures all moves together between two looks', () => {
    const meter = new TransferMeter();
    const first = meter.read([moving('a', 0, 100), moving('b', 10, 90)], 1_000);

    const second = meter.read([moving('a', 20, 80), moving('b', 30, 70)], 3_000);

    expect(first).toBeUndefined();
    expect(second).toEqual({ bytesPerSecond: 20 * MIB, leftBytes: 150 * MIB });
    expect(rateFields(second, 50)).toEqual({ mibPerSecond: 20, secondsLeft: 10 });
  });

  it('does not count what a move had sent before it was seen, nor one that began anew', () => {
    const meter = new TransferMeter();
    meter.read([moving('a', 50, 50)], 0);

    const rate = meter.read([moving('a', 10, 90), moving('b', 100, 0)], 1_000);

    expect(rate).toBeUndefined();
    expect(rateFields(rate, 50)).toEqual({});
  });
});

function moving(id: string, sentMiB: number, leftMiB: number) {
  const move: ComputeMove = {
    id,
    instanceId: id,
    isLive: true,
    isResize: false,
    state: 'running',
    stateText: 'running',
    sourceName: 'n1',
    targetName: 'n2',
    startedAt: undefined,
    updatedAt: undefined,
  };
  return { move, progress: { totalBytes: 100 * MIB, sentBytes: sentMiB * MIB, leftBytes: leftMiB * MIB } };
}
