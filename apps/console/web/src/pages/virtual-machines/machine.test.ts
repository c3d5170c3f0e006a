import { expect, it } from 'vitest';

import { instance, virtualMachine } from './fixtures/machines.ts';
import { joinMachines, MachineMaker } from './machine.ts';

it('joins machines with what runs of them, and keeps instances that run alone', () => {
  const machines = joinMachines(
    [virtualMachine('web'), virtualMachine('db')],
    [instance('web'), instance('lonely')],
    new MachineMaker(),
  );

  expect(machines.map(({ key, virtualMachine: machine, instance: runs }) => [key, !!machine, !!runs])).toEqual([
    ['shop/web', true, true],
    ['shop/db', true, false],
    ['shop/lonely', false, true],
  ]);
});

it('gives the same machine as long as nothing about it changed', () => {
  const maker = new MachineMaker();
  const [web, db] = [virtualMachine('web'), virtualMachine('db')];
  const runs = instance('web');

  const before = joinMachines([web, db], [runs], maker);
  const after = joinMachines([web, db], [instance('web', { phase: 'Running' })], maker);
  const again = joinMachines([web, db], [runs], maker);

  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(again[0]).toEqual(before[0]);
});
