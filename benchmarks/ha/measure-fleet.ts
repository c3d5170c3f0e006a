import type { SmaltProgram } from '@smalt/bed-kubernetes';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { readProcessCpu } from '../src/process-cpu.ts';
import { readPeakBytes, readProcessMemory } from '../src/process-memory.ts';
import { hostNames } from './bench-agent.ts';
import { makeHosts } from './fleet-hosts.ts';
import type { FleetPlan } from './ha-plan.ts';
import type { FleetResult } from './ha-result.ts';
import { startHaWorld } from './ha-world.ts';
import { numberOf } from './number-of.ts';

export interface FleetOptions {
  readonly program: SmaltProgram;
  readonly plan: FleetPlan;
}

/** Measures what a fleet costs that reports as it does every day, while the service leads and judges it. */
export async function measureFleet({ program, plan }: FleetOptions, signal: AbortSignal): Promise<FleetResult> {
  const hosts = hostNames(plan.hosts);
  const prepare: Parameters<typeof startHaWorld>[0]['prepare'] = (client, cloud) => makeHosts(client, cloud, hosts);
  await using world = await startHaWorld({ program, hosts, prepare }, signal);
  await using load = await world.startLoad(signal);
  await load.ask(`connect ${plan.hosts}`, signal);
  const cpuBefore = await readProcessCpu(world.servicePid);
  const round = await load.ask(`report ${plan.seconds} ${plan.intervalMs}`, signal);
  const cpuSeconds = (await readProcessCpu(world.servicePid)) - cpuBefore;
  const judged = await world.metric('smalt_ha_hosts');
  if (judged !== plan.hosts) throw new BenchmarkError('unequal-work', `${judged} of ${plan.hosts} hosts are judged`);
  const [{ residentBytes }, peakBytes] = await Promise.all([
    readProcessMemory(world.servicePid),
    readPeakBytes(world.servicePid),
  ]);
  return {
    hosts: plan.hosts,
    intervalMs: plan.intervalMs,
    p50Ms: numberOf(round, 'p50Ms'),
    p99Ms: numberOf(round, 'p99Ms'),
    cpuShare: cpuSeconds / numberOf(round, 'seconds'),
    residentBytes,
    peakBytes,
  };
}
