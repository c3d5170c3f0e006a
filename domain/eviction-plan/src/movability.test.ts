import { InstanceState } from '@smalt/compute';
import { describe, expect, it } from 'vitest';

import { instance } from './fixtures/instances.ts';
import { movability } from './movability.ts';

const rules = { coldMovesOfRunning: 'forbidden', lockedInstances: 'move' } as const;

describe('movability', () => {
  it.each([
    ['running', 'live'],
    ['paused', 'live'],
    ['stopped', 'cold'],
    ['moving', 'moving'],
    ['building', 'busy'],
    ['busy', 'busy'],
    ['shelved', 'busy'],
    ['deleting', 'busy'],
    ['unconfirmed', 'busy'],
    ['failed', 'failed'],
    ['suspended', 'non-migratable'],
    ['rescued', 'non-migratable'],
  ] as const)('takes one that is %s for %s', (state, kind) => {
    expect(movability(instance('a', { state }), rules).kind).toBe(kind);
  });

  it('knows every state there is', () => {
    const kinds = Object.values(InstanceState).map((state) => movability(instance('a', { state }), rules).kind);

    expect(kinds).not.toContain(undefined);
  });

  it.each([
    ['running', 'forbidden', 'non-migratable'],
    ['running', 'allowed', 'cold'],
    ['paused', 'allowed', 'non-migratable'],
    ['stopped', 'forbidden', 'cold'],
  ] as const)('moves a %s one with a device, where cold moves are %s, as %s', (state, coldMovesOfRunning, kind) => {
    const withDevice = instance('a', { state, obstacles: ['device gpu of the host'] });

    const how = movability(withDevice, { ...rules, coldMovesOfRunning });

    expect(how.kind).toBe(kind);
    expect('message' in how ? how.message : 'device gpu of the host').toContain('device gpu of the host');
  });

  it('leaves locked ones alone only where that is asked for', () => {
    const locked = instance('a', { isLocked: true });

    expect(movability(locked, rules)).toEqual({ kind: 'live' });
    expect(movability(locked, { ...rules, lockedInstances: 'leave' })).toMatchObject({
      kind: 'non-migratable',
      message: expect.stringContaining('unlock it'),
    });
  });

  it('tells the fault of a broken one', () => {
    const broken = instance('a', { state: 'failed', stateText: 'ERROR', fault: 'out of luck' });

    expect(movability(broken, rules)).toEqual({ kind: 'failed', message: 'out of luck' });
  });
});
