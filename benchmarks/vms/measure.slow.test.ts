import { startNetwork } from '@smalt/bed-libvirt';
import { describe, expect, it } from 'vitest';

import { startControlPlane } from './cluster/control-plane.ts';
import { isOfInstance } from './figures.ts';
import { measureCreate } from './create/measure-create.ts';
import { measureMigration } from './migration/measure-migration.ts';
import { measureSwarm } from './swarm/measure-swarm.ts';
import { startVmNode } from './cluster/vm-node.ts';

const QUIET = { program: 'sources', progress: () => undefined } as const;

describe('the benchmark of virtual machines', { timeout: 180_000 }, () => {
  it('measures machines by kubectl beside the same by virsh, and what they cost', async () => {
    const signal = inTime();
    await using network = await startNetwork();
    await using control = await startControlPlane({ program: 'sources', address: network.address, signal });
    await using node = await startVmNode({ name: 'hv1', network, control, signal });
    const plan = { machines: 2, rounds: 1, parallel: 2 };

    const { rounds, memory } = await measureCreate({ ...QUIET, control, node, plan, signal });

    expect(rounds).toEqual([
      { oursMs: expect.any(Number), serialMs: expect.any(Number), parallelMs: expect.any(Number) },
    ]);
    expect(memory.launcher).toBeGreaterThan(5e6);
    expect(memory.monitor).toBeGreaterThan(10e6);
    expect(Object.keys(memory.growth).toSorted()).toEqual([
      'API server',
      'libvirtd',
      'pod-runner',
      'scheduler',
      'virt-controller',
      'virt-handler',
    ]);
  });

  it('measures many instances on mock hypervisors, and counts six writes for each', async () => {
    const plan = { nodes: 2, nodesPerProcess: 1, instances: 6, clients: 2 };

    const { times, requests, cpu } = await measureSwarm({ ...QUIET, plan, signal: inTime() });

    expect(times.length).toBe(6);
    expect(requests.filter(isOfInstance).length).toBe(36);
    expect(cpu['pod runners and handlers']).toBeGreaterThan(0);
  });

  it('measures a guest that moves beside one that virsh moves', async () => {
    const plan = { memoryMiB: 128, rounds: 1 };

    const result = await measureMigration({ ...QUIET, plan, signal: inTime() });

    expect(result.rounds).toEqual([{ oursMs: expect.any(Number), virshMs: expect.any(Number) }]);
  });
});

function inTime(): AbortSignal {
  return AbortSignal.timeout(170_000);
}
