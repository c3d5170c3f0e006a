import { keyOf, type ObjectChange } from '@smalt/controller-runtime';
import type { KubernetesObject } from '@smalt/kubernetes';
import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '@smalt/vm-api';
import type { ObservedPod } from '@smalt/vm-lifecycle';
import { expect, it } from 'vitest';

import { instanceDraft, migrationDraft } from '../fixtures/vm-objects.ts';
import { MigrationTurns } from './migration-turns.ts';

const LIMITS = { parallelMigrationsPerCluster: 2, parallelOutboundMigrationsPerNode: 2 };

it('counts once for all that ask, and again after a change', () => {
  const bed = startBed(100);

  for (let asked = 0; asked < 100; asked += 1) bed.turns.chosen.has(`uid-${asked}`);
  const before = { chosen: [...bed.turns.chosen], counted: bed.migrations.lists };
  bed.migrations.put(migration(0, 'Running'));
  bed.migrations.put(migration(1, 'Succeeded'));

  expect(before).toEqual({ chosen: ['uid-0', 'uid-1'], counted: 1 });
  expect([...bed.turns.chosen]).toEqual(['uid-2']);
  expect(bed.migrations.lists).toBe(2);
});

it('takes one for begun whose target pod is there, and no notice of the pods of others', () => {
  const bed = startBed(3);
  void bed.turns.chosen;

  bed.pods.put(targetPod('theirs', 'uid-1'));
  bed.pods.put(targetPod('ours', 'uid-0'));

  expect([...bed.turns.chosen]).toEqual(['uid-1']);
});

it('follows an instance to where it is', () => {
  const bed = startBed(3, { ...LIMITS, parallelOutboundMigrationsPerNode: 1 });
  const before = [...bed.turns.chosen];

  bed.instances.put(instance(1, 'n2'));

  expect([before, [...bed.turns.chosen]]).toEqual([['uid-0'], ['uid-0', 'uid-1']]);
});

it('lets an instance begin once it runs', () => {
  const bed = startBed(1);
  bed.instances.put({ ...instance(0, 'n1'), status: { nodeName: 'n1', phase: 'Scheduled' } });
  const before = [...bed.turns.chosen];

  bed.instances.put(instance(0, 'n1'));

  expect([before, [...bed.turns.chosen]]).toEqual([[], ['uid-0']]);
});

/** Objects in memory, by the few indexes that are asked for. */
class Shelf<T extends KubernetesObject> {
  readonly #objects = new Map<string, T>();
  readonly #valuesOf: (object: T) => readonly string[];
  #onChange: (change: ObjectChange<T>) => void = () => undefined;
  lists = 0;
  readonly cache = {
    get: (key: string): T | undefined => this.#objects.get(key),
    byIndex: (index: string, value: string): readonly T[] => {
      if (index === 'open') this.lists += 1;
      return [...this.#objects.values()].filter((each) => this.#valuesOf(each).includes(`${index} ${value}`));
    },
  };

  constructor(valuesOf: (object: T) => readonly string[]) {
    this.#valuesOf = valuesOf;
  }

  onChange(handler: (change: ObjectChange<T>) => void): () => void {
    this.#onChange = handler;
    return () => undefined;
  }

  put(current: T): void {
    const key = keyOf(current);
    const old = this.#objects.get(key);
    this.#objects.set(key, current);
    this.#onChange({ key, old, current });
  }
}

function startBed(count: number, limits: typeof LIMITS = LIMITS) {
  const migrations = new Shelf<VirtualMachineInstanceMigration>(({ metadata, spec, status }) => [
    `instance-key ${metadata.namespace ?? ''}/${spec.vmiName ?? ''}`,
    ...(status?.phase === 'Succeeded' ? [] : ['open open']),
  ]);
  const instances = new Shelf<VirtualMachineInstance>(() => []);
  const pods = new Shelf<ObservedPod>(({ metadata }) => [
    `migration ${metadata.labels?.['kubevirt.io/migrationJobUID'] ?? ''}`,
  ]);
  for (let index = 0; index < count; index += 1) {
    migrations.put(migration(index, 'Pending'));
    instances.put(instance(index, 'n1'));
  }
  return { migrations, instances, pods, turns: new MigrationTurns({ migrations, instances, pods, limits }) };
}

function migration(index: number, phase: string): VirtualMachineInstanceMigration {
  const draft = migrationDraft('ours', `m-${String(index).padStart(3, '0')}`, `vm-${index}`);
  return { ...draft, metadata: { ...draft.metadata, uid: `uid-${index}` }, status: { phase } };
}

function instance(index: number, nodeName: string): VirtualMachineInstance {
  return { ...instanceDraft('ours', `vm-${index}`), status: { nodeName, phase: 'Running' } };
}

function targetPod(namespace: string, migrationUid: string): ObservedPod {
  const labels = { 'kubevirt.io/migrationJobUID': migrationUid };
  const metadata = { name: `target-${migrationUid}`, namespace, labels };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } };
}
