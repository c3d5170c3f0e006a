import { expect, it } from 'vitest';

import { decideLauncher } from './decide-launcher.ts';

const before = { isPopulated: false, hasSeenGuest: false, terminatingForMs: undefined, gracePeriodMs: 10_000 };
const during = { ...before, isPopulated: true, hasSeenGuest: true };
const after = { ...during, isPopulated: false };

it.each([
  { case: 'no guest has come', facts: before, step: { kind: 'wait', forMs: Infinity } },
  { case: 'the guest runs', facts: during, step: { kind: 'wait', forMs: Infinity } },
  { case: 'the guest has ended', facts: after, step: { kind: 'end', why: 'the guest has ended' } },
  { case: 'told to end before a guest came', facts: { ...before, terminatingForMs: 0 }, step: { kind: 'end' } },
  { case: 'told to end', facts: { ...during, terminatingForMs: 4_000 }, step: { kind: 'wait', forMs: 6_000 } },
  { case: 'the grace period is over', facts: { ...during, terminatingForMs: 10_000 }, step: { kind: 'kill-guest' } },
  { case: 'the guest has ended in time', facts: { ...after, terminatingForMs: 4_000 }, step: { kind: 'end' } },
])('$step.kind when $case', ({ facts, step }) => {
  expect(decideLauncher(facts)).toMatchObject(step);
});
