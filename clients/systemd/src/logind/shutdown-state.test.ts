import { expect, it } from 'vitest';

import { ShutdownState } from './shutdown-state.ts';

it.each([
  { title: 'nothing while no shutdown begins', states: [false], told: undefined },
  { title: 'a shutdown', states: [true], told: true },
  { title: 'a shutdown once', states: [true, true], told: true },
  {
    title: 'nothing of a shutdown that was called off before anybody read of it',
    states: [true, false],
    told: undefined,
  },
])('tells $title', ({ states, told }) => {
  const state = new ShutdownState();

  for (const each of states) state.set(each);

  expect(state.take()).toBe(told);
  expect(state.take()).toBeUndefined();
});

it('tells that a shutdown was called off after it was told', () => {
  const state = new ShutdownState();
  state.set(true);
  state.take();

  state.set(false);

  expect(state.take()).toBe(false);
});
