import type { VirtualMachineInstanceMigration } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { at, migration } from '../fixtures/objects.ts';
import { chooseMigrations, waitMsFor } from './choose-migrations.ts';
import { forgettableMigrations } from './forget-migrations.ts';

const limits = { parallelMigrationsPerCluster: 5, parallelOutboundMigrationsPerNode: 2 };

describe('chooseMigrations', () => {
  it('lets two leave a node at a time', () => {
    const waiting = ['a', 'b', 'c'].map((name) => from('n1', name, 'Pending'));

    expect(choose(waiting)).toEqual(['a', 'b']);
    expect(choose([from('n1', 'r', 'Running'), ...waiting])).toEqual(['a']);
  });

  it('lets none leave before its guest runs, and takes the next', () => {
    const waiting = [from('n1', 'scheduled', 'Pending'), from('n1', 'a', 'Pending'), from('n1', 'b', '')];

    expect(choose(waiting)).toEqual(['a', 'b']);
  });

  it('lets five run at a time in all', () => {
    const running = ['n1', 'n2', 'n3', 'n4'].map((node) => from(node, `r-${node}`, 'Scheduling'));
    const waiting = ['n5', 'n6'].map((node) => from(node, `w-${node}`, 'Pending'));

    expect(choose([...running, ...waiting])).toEqual(['w-n5']);
  });

  it('lets one of a full node wait and takes the next from another', () => {
    const running = [from('n1', 'r1', 'Running'), from('n1', 'r2', 'Running')];

    expect(choose([...running, from('n1', 'a', 'Pending'), from('n2', 'b', 'Pending')])).toEqual(['b']);
  });

  it('takes the most urgent first, then the oldest', () => {
    const one = { ...limits, parallelMigrationsPerCluster: 3 };
    const all = [
      from('n1', 'maintenance', 'Pending', { priority: 'system-maintenance', age: -90 }),
      from('n2', 'young', 'Pending', { age: -10 }),
      from('n3', 'old', 'Pending', { age: -50 }),
      from('n4', 'critical', 'Pending', { priority: 'system-critical', age: -5 }),
    ];

    expect(choose(all, one)).toEqual(['critical', 'old', 'young']);
    expect(all.map((each) => waitMsFor(each))).toEqual([5000, 3000, 3000, 1000]);
  });

  it('does not count what is over, and does not begin what is deleted', () => {
    const over = ['a', 'b', 'c', 'd', 'e'].map((name) => from('n1', name, 'Succeeded'));
    const gone = migration('Pending', { name: 'n1/gone', metadata: { deletionTimestamp: at(0) } });

    expect(choose([...over, gone, from('n1', 'next', '')])).toEqual(['next']);
  });
});

describe('forgettableMigrations', () => {
  it('keeps the newest five that are over, and all that are not', () => {
    const over = [1, 2, 3, 4, 5, 6, 7].map((age) =>
      migration(age % 2 === 0 ? 'Failed' : 'Succeeded', { name: `m${age}`, metadata: { creationTimestamp: at(-age) } }),
    );
    const open = migration('Running', { name: 'open', metadata: { creationTimestamp: at(-99) } });

    expect(forgettableMigrations([open, ...over]).map(({ metadata }) => metadata.name)).toEqual(['m6', 'm7']);
  });
});

function choose(migrations: readonly VirtualMachineInstanceMigration[], within = limits): readonly string[] {
  const chosen = chooseMigrations({
    migrations,
    sourceNodeOf: ({ metadata }) => metadata.name.split('/')[0],
    isRunning: ({ metadata }) => !metadata.name.endsWith('/scheduled'),
    limits: within,
  });
  return [...chosen].map((uid) => uid.replace(/^.*\//, '').replace(/-uid$/, ''));
}

function from(
  node: string,
  name: string,
  phase: string,
  { priority, age = -60 }: { priority?: string; age?: number } = {},
) {
  return migration(phase, {
    name: `${node}/${name}`,
    metadata: { creationTimestamp: at(age) },
    spec: priority === undefined ? {} : { priority },
  });
}
