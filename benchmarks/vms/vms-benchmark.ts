import { startNetwork } from '@smalt/bed-libvirt';

import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { startControlPlane } from './cluster/control-plane.ts';
import { LIMITS, vmsFigures } from './figures.ts';
import { measureCreate } from './create/measure-create.ts';
import { measureMigration } from './migration/measure-migration.ts';
import { measureSwarm } from './swarm/measure-swarm.ts';
import { vmsTables } from './tables.ts';
import { startVmNode } from './cluster/vm-node.ts';
import { planVms, type CreatePlan, type VmsPlan } from './vms-plan.ts';
import type { CreateResult } from './vms-result.ts';

/** Virtual machines: how soon they run and move beside virsh, what they cost, and many of them. */
export const vmsBenchmark: Benchmark = {
  name: 'vms',
  summary:
    'virtual machines beside virsh: 50 at once, a live migration; 1,000 on 50 mock hypervisors; memory, API writes',
  run: runVmsBenchmark,
};

async function runVmsBenchmark({ quick, progress }: BenchmarkOptions, signal: AbortSignal): Promise<BenchmarkReport> {
  const plan = planVms(quick);
  const measuring = { program: 'bundle', progress, signal } as const;
  const create = await measureOnOneNode(plan.create, progress, signal);
  const swarm = await measureSwarm({ ...measuring, plan: plan.swarm });
  const migration = await measureMigration({ ...measuring, plan: plan.migration });
  const results = { create, swarm, migration };
  return {
    bench: 'vms',
    facts: machineFacts(),
    tables: vmsTables(results),
    notes: notesOf(plan, quick),
    figures: vmsFigures(results),
    targets: {},
    limits: LIMITS,
  };
}

async function measureOnOneNode(
  plan: CreatePlan,
  progress: (line: string) => void,
  signal: AbortSignal,
): Promise<CreateResult> {
  await using network = await startNetwork();
  await using control = await startControlPlane({ program: 'bundle', address: network.address, signal });
  await using node = await startVmNode({ name: 'hv1', network, control, signal });
  return await measureCreate({ control, node, plan, progress, signal });
}

function notesOf({ create, swarm, migration }: VmsPlan, isQuick: boolean): readonly string[] {
  return [
    'ours runs from the bundle, a process for each part; the API server with virt-api in it from the sources',
    `${create.machines} machines: emulated, 32 MiB, a card behind NAT, nothing to boot; virsh creates the XML that libvirt has of ours, its transient domains have sockets of their own`,
    'ours also makes a pod with a process and a cgroup for each, addresses, and what is needed to find all of it again; kubectl is in its time',
    'memory is proportional, of parts after their garbage was collected: with all machines, less the least of before and after',
    `${swarm.instances} instances by ${swarm.clients} clients as fast as they can, so that the time from create to Running is mostly waiting for those before; ${swarm.nodesPerProcess} pod runners and handlers to a process`,
    'writes_per_vmi counts writes of pods and instances, those of the client left out, until 5 s after the last one ran',
    `migration: ${migration.memoryMiB} MiB, a Linux that idles, its twin for virsh runs beside it, and another machine on each host, so that its network is up; ours from creating the object until it is Succeeded`,
    ...(isQuick ? ['quick run: fewer machines and nodes, so no figures of 50 and of 1,000'] : []),
  ];
}
