import type { ChangeHandler } from '@smalt/controller-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { ExpectedInstances } from './expected-instances.ts';

it('counts what was made before it is seen, and once afterwards', () => {
  const { expected, tell } = world();
  const made = instance('b');
  expected.made(made);

  const before = names(expected.merge([instance('a')], 'set'));
  tell(made);
  const after = names(expected.merge([instance('a'), made], 'set'));

  expect([before, after]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

it('leaves out what was deleted before that is seen', () => {
  const { expected } = world();
  expected.deleted('d/a');

  expect(names(expected.merge([instance('a'), instance('b')], 'set'))).toEqual(['b']);
});

it('does not count those of another set', () => {
  const { expected } = world();
  expected.made(instance('b'));

  expect(expected.merge([], 'other')).toEqual([]);
});

it('forgets what was never seen', () => {
  const { expected, clock } = world();
  expected.made(instance('b'));

  clock.time += 30_000;

  expect(expected.merge([], 'set')).toEqual([]);
});

function world() {
  const clock = { time: 0, monotonic: () => clock.time };
  const handlers: ChangeHandler<VirtualMachineInstance>[] = [];
  const expected = new ExpectedInstances(
    {
      onChange: (handler) => {
        handlers.push(handler);
        return () => undefined;
      },
    },
    clock,
  );
  const tell = (current: VirtualMachineInstance): void => {
    const key = `d/${current.metadata.name}`;
    for (const handler of handlers) handler({ key, old: undefined, current });
  };
  return { expected, clock, tell };
}

function instance(name: string): VirtualMachineInstance {
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstanceReplicaSet', name: 'set', uid: 'set' };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'd', ownerReferences: [owner] },
    spec: { domain: { devices: {} } },
  };
}

function names(instances: readonly VirtualMachineInstance[]): readonly string[] {
  return instances.map(({ metadata }) => metadata.name);
}
