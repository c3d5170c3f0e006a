import { lifecycleTransitions, LifecycleState } from '@smalt/hypervisor-lifecycle';
import { expect, it } from 'vitest';

import { HOST_STATE_CHANGES, HOST_STATES } from './host-lifecycle.ts';

it('draws every state of a host, each at a place of its own', () => {
  expect(HOST_STATES.map(({ name }) => name).toSorted()).toEqual(Object.values(LifecycleState).toSorted());
  expect(new Set(HOST_STATES.map(({ column, row }) => `${column} ${row}`)).size).toBe(HOST_STATES.length);
});

it('draws no way that a host cannot go', () => {
  const known = lifecycleTransitions.map(({ from, to }) => `${from} ${to}`);

  for (const { from, to } of HOST_STATE_CHANGES) expect(known).toContain(`${from} ${to}`);
});
