import { KubeError } from '@smalt/kube';
import { expect, it } from 'vitest';

import { ConsoleError } from '../console-error.ts';
import { decideRetry } from './decide-retry.ts';

it.each([
  { error: new KubeError('unauthorized', 'who?'), end: { kind: 'broken', delayMs: 500, isUserUnknown: true } },
  { error: new ConsoleError('signed-out', 'who?'), end: { kind: 'broken', delayMs: 500, isUserUnknown: true } },
  { error: new KubeError('expired', 'too old'), end: { kind: 'anew' } },
  {
    error: new KubeError('forbidden', 'you may not', { httpStatus: 403 }),
    end: { kind: 'refused', status: 403, message: 'you may not' },
  },
  { error: new KubeError('not-found', 'no such kind', { httpStatus: 404 }), end: { kind: 'refused', status: 404 } },
  { error: new ConsoleError('forbidden', 'no'), end: { kind: 'refused', status: 403 } },
  {
    error: new KubeError('connection', 'lost'),
    end: { kind: 'broken', delayMs: 500, message: 'lost', isUserUnknown: false },
  },
  { error: new Error('odd'), end: { kind: 'broken', message: 'odd' } },
])('after $error.message comes $end.kind', ({ error, end }) => {
  expect(decideRetry(error, 0, 1)).toMatchObject(end);
});

it('waits longer each time, but never too long', () => {
  const delays = [0, 1, 2, 5, 50].map((failures) => decideRetry(new Error('lost'), failures, 1));

  expect(delays.map((end) => end.kind === 'broken' && end.delayMs)).toEqual([500, 1_000, 2_000, 10_000, 10_000]);
});
