import type { UnitState } from '@smalt/systemd';
import { expect, it } from 'vitest';

import { planReload, UPDATE_UNIT, type DaemonName, type ReloadStep } from './plan-reload.ts';

const UPDATE = { name: UPDATE_UNIT, activeState: 'inactive', subState: 'dead', loadState: 'loaded' };

it.each<[string, readonly UnitState[] | undefined, ReloadStep, (readonly DaemonName[])?]>([
  [
    'starts the unit that is made for it',
    [UPDATE, unit('libvirtd', 'active')],
    { kind: 'start-unit', unit: UPDATE_UNIT, server: 'libvirtd' },
  ],
  [
    'tells libvirtd where there is no such unit',
    [{ ...UPDATE, loadState: 'not-found' }, unit('libvirtd', 'active')],
    { kind: 'admin', server: 'libvirtd', unit: 'libvirtd.service' },
  ],
  [
    'tells the daemon that serves TLS for modular ones',
    [unit('virtproxyd', 'active'), unit('libvirtd', 'inactive', 'not-found')],
    { kind: 'admin', server: 'virtproxyd', unit: 'virtproxyd.service' },
  ],
  ['does nothing while no daemon runs', [UPDATE, unit('libvirtd', 'inactive')], { kind: 'nothing' }],
  ['does nothing while the daemon has failed', [unit('libvirtd', 'failed')], { kind: 'nothing' }],
  [
    'does nothing while the daemon has stopped, though its socket lies there',
    [unit('libvirtd', 'inactive')],
    { kind: 'nothing' },
    ['libvirtd'],
  ],
  ['tells a daemon that no systemd knows of', [], { kind: 'admin', server: 'libvirtd', unit: undefined }, ['libvirtd']],
  [
    'tells a daemon that is none of the units',
    [unit('libvirtd', 'inactive', 'not-found'), unit('virtproxyd', 'inactive', 'not-found')],
    { kind: 'admin', server: 'virtproxyd', unit: undefined },
    ['virtproxyd'],
  ],
  [
    'does nothing where the daemons that serve TLS are not installed',
    [UPDATE, unit('libvirtd', 'inactive', 'not-found'), unit('virtproxyd', 'inactive', 'not-found')],
    { kind: 'nothing' },
  ],
  ['does nothing where there is neither a unit nor a socket', [], { kind: 'nothing' }],
  [
    'tells the daemon whose socket is there while systemd cannot be asked',
    undefined,
    { kind: 'admin', server: 'libvirtd', unit: undefined },
    ['libvirtd'],
  ],
  ['knows no way where systemd cannot be asked and there is no socket', undefined, { kind: 'no-way' }],
  [
    'leaves a masked unit alone',
    [{ ...UPDATE, loadState: 'masked' }, unit('libvirtd', 'active')],
    { kind: 'admin', server: 'libvirtd', unit: 'libvirtd.service' },
  ],
])('%s', (_, states, step, administered = []) => {
  expect(planReload({ states, administered })).toEqual(step);
});

function unit(daemon: string, activeState: string, loadState = 'loaded'): UnitState {
  return { name: `${daemon}.service`, activeState, subState: 'running', loadState };
}
