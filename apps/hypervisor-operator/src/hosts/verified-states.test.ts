import { systemClock } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { testHypervisor } from '../fixtures/fleet-objects.ts';
import { VerifiedStates } from './verified-states.ts';

it('believes what was seen until the time is up', () => {
  const world = makeWorld();
  const host = testHypervisor('n1');

  world.states.remember(host, 'enabled', 100);
  world.now = 40;

  expect(world.states.restMs(host, 'enabled')).toBe(60);
  world.now = 100;
  expect(world.states.restMs(host, 'enabled')).toBe(0);
});

it('believes nothing else, of nobody else, and not of another host with that name', () => {
  const { states } = makeWorld();

  states.remember(testHypervisor('n1'), 'enabled', 100);

  expect(states.restMs(testHypervisor('n1'), 'disabled')).toBe(0);
  expect(states.restMs(testHypervisor('n10'), 'enabled')).toBe(0);
  expect(states.restMs(testHypervisor('n1', { metadata: { uid: 'another' } }), 'enabled')).toBe(0);
});

it('forgets when it is told to, and when the hypervisor goes', () => {
  const { states, removed } = makeWorld();
  const [one, two] = [testHypervisor('n1'), testHypervisor('n2')];
  states.remember(one, 'enabled', 100);
  states.remember(two, 'enabled', 100);

  states.forget(one);
  removed(two);

  expect([states.restMs(one, 'enabled'), states.restMs(two, 'enabled')]).toEqual([0, 0]);
});

function makeWorld() {
  type Handler = (change: { key: string; old: Hypervisor | undefined; current: Hypervisor | undefined }) => void;
  const handlers: Handler[] = [];
  const onChange = (handler: Handler) => {
    handlers.push(handler);
    return () => undefined;
  };
  const world = {
    now: 0,
    removed: (hypervisor: Hypervisor) => {
      for (const handler of handlers) handler({ key: hypervisor.metadata.name, old: hypervisor, current: undefined });
    },
  };
  const clock = { ...systemClock, monotonic: () => world.now };
  return Object.assign(world, { states: new VerifiedStates({ onChange }, clock) });
}
