import { expect, it } from 'vitest';

import { alone, running, stopped } from '../fixtures/machines.ts';
import type { Machine } from '../machine.ts';
import { MACHINE_ACTIONS } from './machine-action.ts';

const PAUSED = { conditions: [{ type: 'Paused', status: 'True' }] };
const FIXED = { conditions: [{ type: 'LiveMigratable', status: 'False' }] };

it.each([
  { what: 'a stopped machine', machine: stopped('a'), names: ['start', 'delete'] },
  {
    what: 'a running machine',
    machine: running('a'),
    names: ['stop', 'restart', 'pause', 'softreboot', 'migrate', 'delete'],
  },
  {
    what: 'a paused machine',
    machine: running('a', PAUSED),
    names: ['stop', 'restart', 'unpause', 'migrate', 'delete'],
  },
  {
    what: 'a machine on its way',
    machine: running('a', { migrationState: {} }),
    names: ['stop', 'restart', 'softreboot', 'cancelMigration', 'delete'],
  },
  {
    what: 'a machine that cannot move',
    machine: running('a', FIXED),
    names: ['stop', 'restart', 'pause', 'softreboot', 'delete'],
  },
  {
    what: 'an instance alone',
    machine: alone('a', { phase: 'Running' }),
    names: ['pause', 'softreboot', 'migrate', 'delete'],
  },
  { what: 'a machine that is starting', machine: running('a', { phase: 'Scheduling' }), names: ['stop', 'delete'] },
])('offers $names for $what', ({ machine, names }) => {
  expect(possible(machine)).toEqual(names);
});

it('asks for the right to delete what is deleted', () => {
  const machines = [running('a'), alone('a')];

  const action = MACHINE_ACTIONS.find(({ name }) => name === 'delete');

  expect(machines.map((machine) => action?.deed(machine).resource)).toEqual([
    'virtualmachines',
    'virtualmachineinstances',
  ]);
});

function possible(machine: Machine): readonly string[] {
  return MACHINE_ACTIONS.filter(({ isPossible }) => isPossible(machine)).map(({ name }) => name);
}
