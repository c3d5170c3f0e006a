import { ComputeError, type ComputeErrorCode, type ComputeMoves } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { carryOutSteps } from './carry-out-steps.ts';

const signal = new AbortController().signal;

describe('carryOutSteps', () => {
  it.each<[ComputeErrorCode, string]>([
    ['conflict', 'refused'],
    ['no-target', 'refused'],
    ['refused', 'refused'],
    ['not-found', 'not-done'],
    ['stale', 'not-done'],
    ['unavailable', 'not-done'],
    ['unknown-fate', 'unknown'],
    ['aborted', 'unknown'],
  ])('takes %s for %s', async (code, kind) => {
    const moves = failing(new ComputeError(code, 'no luck', { retryAfterMs: 7 }));

    const failures = await carryOutSteps(moves, [{ kind: 'start-live', instanceId: 'a' }], signal);

    expect(failures).toMatchObject([
      { retryAfterMs: 7, answer: { kind, message: 'failed to evict VM a due to no luck' } },
    ]);
  });

  it('does the other steps when one fails', async () => {
    const done: string[] = [];
    const moves = {
      ...failing(new ComputeError('refused', 'no')),
      startCold: async (id: string) => void done.push(id),
    };

    const answers = await carryOutSteps(
      moves,
      [
        { kind: 'start-live', instanceId: 'a' },
        { kind: 'start-cold', instanceId: 'b' },
      ],
      signal,
    );

    expect(done).toEqual(['b']);
    expect(answers.map(({ answer }) => answer.kind)).toEqual(['refused', 'accepted']);
  });

  it('does not take a mistake in the program for an answer', async () => {
    const moves = failing(new TypeError('oops'));

    await expect(carryOutSteps(moves, [{ kind: 'confirm', instanceId: 'a' }], signal)).rejects.toThrow('oops');
  });
});

function failing(error: Error): ComputeMoves {
  const fail = async (): Promise<never> => {
    throw error;
  };
  return { list: fail, progress: fail, startLive: fail, startCold: fail, confirm: fail, abort: fail };
}
