import { expect, it } from 'vitest';

import { PrintableStatus } from '@smalt/vm-api';

import { alone, running, stopped, virtualMachine } from './fixtures/machines.ts';
import { machineState } from './machine-state.ts';
import { makeMachine } from './machine.ts';

it.each(Object.values(PrintableStatus))('has words for %s', (printableStatus) => {
  const machine = makeMachine(virtualMachine('web', { printableStatus }), undefined);

  expect(machine && machineState(machine).words).not.toMatch(/^[A-Z]\w*[A-Z]/);
});

it.each([
  { machine: stopped('a'), words: 'Stopped', tone: 'quiet' },
  { machine: running('a'), words: 'Running', tone: 'good' },
  { machine: alone('a', { phase: 'Running' }), words: 'Running', tone: 'good' },
  { machine: alone('a', {}), words: 'Waiting', tone: 'busy' },
  { machine: alone('a', { phase: 'Failed' }), words: 'Failed', tone: 'bad' },
  {
    machine: alone('a', { phase: 'Running', conditions: [{ type: 'Paused', status: 'True' }] }),
    words: 'Paused',
    tone: 'warning',
  },
  { machine: alone('a', { phase: 'Running', migrationState: {} }), words: 'Migrating', tone: 'busy' },
  { machine: alone('a', { phase: 'Running', migrationState: { completed: true } }), words: 'Running', tone: 'good' },
])('is $words', ({ machine, words, tone }) => {
  expect(machineState(machine)).toEqual({ words, tone });
});
