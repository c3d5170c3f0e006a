import { expect, it } from 'vitest';

import { Dice } from '../../simulation/dice.ts';
import { MachineLedger } from './machine-ledger.ts';

it('asks for nothing that makes no sense, and knows what is wanted afterwards', () => {
  const ledger = new MachineLedger(['a', 'b']);
  const dice = new Dice(7);
  const seen = new Set<string>();

  for (let step = 0; step < 500; step++) {
    const deed = ledger.choose(dice);
    seen.add(`${ledger.wishFor(deed.machine)} ${deed.kind}`);
    ledger.note(deed);
  }

  expect([...seen].toSorted()).toEqual([
    'absent create',
    'running delete',
    'running migrate',
    'running restart',
    'running stop',
    'stopped delete',
    'stopped start',
  ]);
});

it('chooses the same for the same seed', () => {
  const [one, other] = [story(3), story(3)];

  expect(one).toEqual(other);
  expect(one).not.toEqual(story(4));
});

function story(seed: number): readonly string[] {
  const ledger = new MachineLedger(['a', 'b', 'c']);
  const dice = new Dice(seed);
  return Array.from({ length: 30 }, () => {
    const deed = ledger.choose(dice);
    ledger.note(deed);
    return `${deed.kind} ${deed.machine}`;
  });
}
