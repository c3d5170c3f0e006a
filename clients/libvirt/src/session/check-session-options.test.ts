import { expect, it } from 'vitest';

import { openSession } from './open-session.ts';
import type { SessionOptions } from './session-options.ts';

const rows: readonly { readonly field: string; readonly options: SessionOptions }[] = [
  { field: 'connectTimeoutMs', options: { connectTimeoutMs: -1 } },
  { field: 'keepalive.intervalMs', options: { keepalive: { intervalMs: 0 } } },
  { field: 'backOff.initialMs', options: { backOff: { initialMs: Number.NaN } } },
  { field: 'backOff.initialMs', options: { backOff: { initialMs: 0 } } },
  { field: 'backOff.maxMs', options: { backOff: { maxMs: Number.NaN } } },
  { field: 'backOff.maxMs', options: { backOff: { maxMs: 2 ** 31 } } },
  { field: 'backOff.factor', options: { backOff: { factor: Number.NaN } } },
  { field: 'backOff.factor', options: { backOff: { factor: 0.5 } } },
  { field: 'backOff.factor', options: { backOff: { factor: Infinity } } },
  { field: 'maxAttempts', options: { maxAttempts: 0 } },
  { field: 'stableAfterMs', options: { stableAfterMs: -1 } },
  { field: 'reconnectGraceMs', options: { reconnectGraceMs: Number.NaN } },
  { field: 'maxWaitingCalls', options: { maxWaitingCalls: -1 } },
  { field: 'whenDown', options: { whenDown: 'panic' as 'wait' } },
];

it.each(rows)('refuses $options at once, and names $field', ({ field, options }) => {
  expect(() => openSession('test+tcp://127.0.0.1/default', options)).toThrow(
    expect.objectContaining({ code: 'invalid-arg', message: expect.stringMatching(new RegExp(`^${field}: must be `)) }),
  );
});

it('takes the ends of each range', async () => {
  const backOff = { initialMs: 1, maxMs: 2 ** 31 - 1, factor: 1 };
  const options = { backOff, maxAttempts: Infinity, stableAfterMs: 0, reconnectGraceMs: 0, maxWaitingCalls: 0 };

  const session = openSession('test+tcp://127.0.0.1:1/default', options);

  await session.close();
  expect(session.state).toEqual({ kind: 'closed' });
});
