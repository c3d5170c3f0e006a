import type { UnitState } from '@smalt/systemd';
import { expect, it } from 'vitest';

import { readServiceState } from './service-state.ts';

it.each<{ what: string; units: readonly UnitState[]; state: string | undefined }>([
  {
    what: 'a host without any such unit',
    units: [unit('libvirtd.service', 'inactive', 'not-found')],
    state: undefined,
  },
  { what: 'a libvirtd that stopped', units: [unit('libvirtd.service', 'inactive')], state: 'not-running' },
  { what: 'a libvirtd that failed', units: [unit('libvirtd.service', 'failed')], state: 'not-running' },
  { what: 'a libvirtd that starts', units: [unit('libvirtd.service', 'activating')], state: 'running' },
  {
    what: 'a modular daemon in place of libvirtd',
    units: [unit('libvirtd.service', 'inactive'), unit('virtqemud.service', 'active')],
    state: 'running',
  },
])('takes $what for $state', async ({ units, state }) => {
  const systemd = { unitStates: async () => units };

  expect(await readServiceState(systemd, neverIgnored, new AbortController().signal)).toBe(state);
});

it('does not know where there is no systemd, or where it does not answer', async () => {
  const ignored: unknown[] = [];
  const silent = {
    unitStates: async () => {
      throw new Error('the bus is away');
    },
  };

  const { signal } = new AbortController();
  expect(await readServiceState(undefined, neverIgnored, signal)).toBeUndefined();
  expect(await readServiceState(silent, (error) => ignored.push(error), signal)).toBeUndefined();
  expect(ignored).toEqual([new Error('the bus is away')]);
});

function neverIgnored(error: unknown): void {
  throw error;
}

function unit(name: string, activeState: string, loadState = 'loaded'): UnitState {
  return { name, activeState, loadState, subState: 'any' };
}
