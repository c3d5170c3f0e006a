import { percentile } from '../api/percentile.ts';
import type { Figure } from '../src/benchmark.ts';
import { costRatio } from '../src/ratio.ts';
import { median } from '../src/sample-summary.ts';
import type { MachineMemory, SwarmResult, VmsResults } from './vms-result.ts';
import type { WrittenRequest } from './swarm/written-requests.ts';

const MEBIBYTE = 1024 ** 2;
const FULL = { machines: 50, instances: 1_000, nodes: 50 };
/** Whoever makes the instances; its writes are not ours. */
const CLIENT = 'admin';

/** The most each of these figures may be. */
export const LIMITS: Readonly<Record<string, number>> = {
  create50_over_virsh: 1.3,
  writes_per_vmi: 6,
  overhead_mib_per_vm: 15,
  migrate_over_virsh: 1.2,
};

/** What counts. A run with fewer machines has no figures of that size. */
export function vmsFigures({ create, swarm, migration }: VmsResults): Record<string, Figure> {
  const isFiftyFull = create.machines === FULL.machines;
  const isSwarmFull = swarm.instances === FULL.instances && swarm.nodes === FULL.nodes;
  const ours = median(create.rounds.map(({ oursMs }) => oursMs));
  const serial = median(create.rounds.map(({ serialMs }) => serialMs));
  const parallel = median(create.rounds.map(({ parallelMs }) => parallelMs));
  const moved = median(migration.rounds.map(({ oursMs }) => oursMs));
  const movedByVirsh = median(migration.rounds.map(({ virshMs }) => virshMs));
  return {
    create50_over_virsh: isFiftyFull ? costRatio(ours, serial) : null,
    create50_over_parallel_virsh: isFiftyFull ? costRatio(ours, parallel) : null,
    running_p50_ms_1000: isSwarmFull ? percentile(swarm.times, 0.5) : null,
    running_p95_ms_1000: isSwarmFull ? percentile(swarm.times, 0.95) : null,
    running_p99_ms_1000: isSwarmFull ? percentile(swarm.times, 0.99) : null,
    vmis_per_s: (swarm.instances * 1_000) / swarm.tookMs,
    writes_per_vmi: writesPerInstance(swarm),
    events_per_vmi: swarm.requests.filter(({ resource }) => resource === 'events').length / swarm.instances,
    overhead_mib_per_vm: overheadBytes(create.memory) / MEBIBYTE,
    migrate_over_virsh: costRatio(moved, movedByVirsh),
  };
}

/** Everything that a machine costs beside its own process: its launcher, and what the parts keep of it. */
export function overheadBytes({ launcher, growth }: MachineMemory): number {
  return Object.values(growth).reduce((sum, bytes) => sum + bytes, launcher);
}

/** Writes that lead an instance to Running, those that were refused too; Events, leases and nodes are no part of it. */
export function isOfInstance({ resource, user }: WrittenRequest): boolean {
  return user !== CLIENT && /^(pods|virtualmachineinstances)(\/|$)/u.test(resource);
}

function writesPerInstance({ requests, instances }: SwarmResult): number {
  return requests.filter(isOfInstance).length / instances;
}
