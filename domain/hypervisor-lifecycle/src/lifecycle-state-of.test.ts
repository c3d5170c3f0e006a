import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { hypervisorWith, newLife, nextLives, type HypervisorLife } from './fixtures/hypervisor-life.ts';
import { lifecycleStateOf, lifecycleTransitions, readinessOf, type LifecycleState } from './index.ts';

describe('lifecycleStateOf', () => {
  it.each<{ readonly life: Partial<HypervisorLife>; readonly state: LifecycleState }>([
    { life: {}, state: 'Initial' },
    { life: { isManaged: true }, state: 'Initial' },
    { life: { isManaged: true, isRegistered: true }, state: 'Initial' },
    { life: { onboarding: 'True/Initial' }, state: 'Onboarding' },
    { life: { onboarding: 'True/Testing' }, state: 'Testing' },
    { life: { onboarding: 'True/Handover' }, state: 'Ready' },
    { life: { onboarding: 'True/Aborted' }, state: 'Aborted' },
    { life: { onboarding: 'False/Aborted' }, state: 'Aborted' },
    { life: { onboarding: 'False/Succeeded' }, state: 'Ready' },
    { life: { onboarding: 'False/Succeeded', disabled: 'True/Succeeded' }, state: 'Ready' },
    { life: { onboarding: 'False/Succeeded', disabled: 'False/Succeeded' }, state: 'Active' },
    { life: { onboarding: 'False/Succeeded', disabled: 'False/Succeeded', isHealthy: false }, state: 'Ready' },
    { life: { onboarding: 'False/Succeeded', disabled: 'False/Succeeded', isTerminating: true }, state: 'Ready' },
    { life: { onboarding: 'True/Testing', maintenance: 'manual' }, state: 'Testing' },
    { life: { maintenance: 'manual' }, state: 'Maintenance' },
    { life: { maintenance: 'auto', evicting: 'True/Running' }, state: 'Evicting' },
    { life: { maintenance: 'manual', evicting: 'False/Succeeded' }, state: 'Maintenance' },
    { life: { maintenance: 'manual', evicting: 'False/Failed' }, state: 'Maintenance' },
    {
      life: { onboarding: 'False/Succeeded', disabled: 'True/Succeeded', evicting: 'True/Running' },
      state: 'Evicting',
    },
    {
      life: { onboarding: 'False/Succeeded', disabled: 'True/Succeeded', evicting: 'False/Failed' },
      state: 'Maintenance',
    },
    { life: { onboarding: 'False/Succeeded', disabled: 'False/Succeeded', evicting: 'True/Running' }, state: 'Active' },
    { life: { maintenance: 'ha', onboarding: 'False/Succeeded', disabled: 'True/Succeeded' }, state: 'Maintenance' },
    { life: { maintenance: 'termination', onboarding: 'False/Aborted' }, state: 'Maintenance' },
    { life: { maintenance: 'termination', offboarded: 'False/Offboarding' }, state: 'Maintenance' },
    { life: { maintenance: 'termination', offboarded: 'True/Offboarded' }, state: 'Decommissioned' },
  ])('is $state with $life', ({ life, state }) => {
    expect(stateOf({ ...newLife, ...life })).toBe(state);
  });

  it('goes by the condition Ready where nothing newer is known', () => {
    const hypervisor = hypervisorWith({ ...newLife, onboarding: 'False/Succeeded', disabled: 'False/Succeeded' });
    const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime: '' } as const;
    const conditions = [...(hypervisor.status?.conditions ?? []), ready];

    expect(lifecycleStateOf(hypervisor)).toBe('Ready');
    expect(lifecycleStateOf({ ...hypervisor, status: { numInstances: 0, conditions } })).toBe('Active');
  });

  it('has a word for a hypervisor of which nothing is known', () => {
    const metadata = { name: 'node-1' };

    expect(lifecycleStateOf({ apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata })).toBe('Initial');
  });
});

describe('lifecycleTransitions', () => {
  it('are exactly the ways that people, agents and controllers can take a hypervisor', () => {
    const taken = transitionsFrom(newLife);

    expect(taken).toEqual(lifecycleTransitions.map(({ from, to }) => `${from} to ${to}`).toSorted());
  });

  it('hold on every way through a life', () => {
    const known = new Set(lifecycleTransitions.map(({ from, to }) => `${from} to ${to}`));
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 200 }), (choices) => {
        let life = newLife;
        for (const choice of choices) {
          const next = nextLives(life);
          const chosen = next[choice % next.length] ?? life;
          const [from, to] = [stateOf(life), stateOf(chosen)];
          expect(from === to || known.has(`${from} to ${to}`), `${from} to ${to}`).toBe(true);
          life = chosen;
        }
      }),
    );
  });

  it('lead from every state to the end', () => {
    const arrived = new Set<string>(['Decommissioned']);

    for (const _ of lifecycleTransitions)
      for (const { from, to } of lifecycleTransitions) if (arrived.has(to)) arrived.add(from);

    expect(arrived.size).toBe(9);
  });
});

/** All changes of state on all ways from one life, each as `A to B`. There are few lives: all are gone through. */
function transitionsFrom(first: HypervisorLife): readonly string[] {
  const states = new Map([[keyOf(first), stateOf(first)]]);
  const lives = [first];
  const taken = new Set<string>();
  for (const life of lives) {
    const from = states.get(keyOf(life));
    for (const next of nextLives(life)) {
      const key = keyOf(next);
      if (!states.has(key)) lives.push(next);
      const to = states.get(key) ?? stateOf(next);
      states.set(key, to);
      if (from !== to) taken.add(`${from} to ${to}`);
    }
  }
  return [...taken].toSorted();
}

function stateOf(life: HypervisorLife): LifecycleState {
  const hypervisor = hypervisorWith(life);
  const settings = { followsLibvirt: true, followsNetwork: true, graceMs: 0 };
  const { isReady } = readinessOf({ hypervisor, network: undefined, nowMs: Date.parse('2026-02-01') }, settings);
  return lifecycleStateOf(hypervisor, isReady);
}

function keyOf({ isManaged, isRegistered, isTerminating, isHealthy, ...rest }: HypervisorLife): string {
  const { maintenance, onboarding, disabled, evicting, offboarded } = rest;
  return [
    isManaged,
    isRegistered,
    isTerminating,
    isHealthy,
    maintenance,
    onboarding,
    disabled,
    evicting,
    offboarded,
  ].join();
}
