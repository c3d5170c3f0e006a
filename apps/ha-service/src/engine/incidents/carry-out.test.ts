import { ComputeError, type ComputeErrorCode } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { answerOf } from './carry-out.ts';

describe('answerOf', () => {
  it.each([
    ['refused', 'refused'],
    ['not-found', 'not-done'],
    ['conflict', 'not-done'],
    ['stale', 'not-done'],
    ['no-target', 'not-done'],
    ['unavailable', 'unknown'],
    ['unknown-fate', 'unknown'],
    ['aborted', 'unknown'],
  ] as const satisfies readonly (readonly [ComputeErrorCode, string])[])('takes %s for %s', (code, kind) => {
    expect(answerOf(new ComputeError(code, 'why'))).toEqual({ kind, message: 'why' });
  });

  it('takes what is not known for something that may have been done', () => {
    expect(answerOf(new Error('socket hang up'))).toEqual({ kind: 'unknown', message: 'socket hang up' });
  });
});
