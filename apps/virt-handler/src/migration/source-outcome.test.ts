import { describe, expect, it } from 'vitest';

import { endedState } from './source-outcome.ts';

const AT = Date.UTC(2026, 0, 1, 0, 0, 5, 250);
const STATE = { migrationUid: 'm1', startTimestamp: '2026-01-01T00:00:00Z' };

describe('endedState', () => {
  it('says that the guest has moved, and no more of what was in doubt', () => {
    const state = { ...STATE, failureReason: 'nobody can tell' };

    expect(endedState(state, { outcome: { kind: 'moved' }, mode: 'PreCopy', endedAt: AT })).toEqual({
      ...STATE,
      completed: true,
      endTimestamp: '2026-01-01T00:00:05Z',
      mode: 'PreCopy',
    });
  });

  it('says why the guest has stayed', () => {
    const outcome = { kind: 'stayed', reason: 'no room' } as const;

    expect(endedState(STATE, { outcome, mode: undefined, endedAt: AT })).toEqual({
      ...STATE,
      completed: true,
      failed: true,
      failureReason: 'no room',
      endTimestamp: '2026-01-01T00:00:05Z',
    });
  });

  it.each([
    ['Succeeded', { kind: 'stayed', reason: 'aborted' }],
    ['Failed', { kind: 'moved' }],
  ] as const)('says that giving up has %s when the guest has %j', (abortStatus, outcome) => {
    const asked = { ...STATE, abortRequested: true };

    expect(endedState(asked, { outcome, mode: undefined, endedAt: AT })).toMatchObject({ abortStatus });
  });

  it('says that a guest is lost', () => {
    const outcome = { kind: 'lost', reason: 'half of it is gone' } as const;

    expect(endedState(STATE, { outcome, mode: 'PostCopy', endedAt: AT })).toMatchObject({
      completed: true,
      failed: true,
      failureReason: 'half of it is gone',
      mode: 'PostCopy',
    });
  });
});
