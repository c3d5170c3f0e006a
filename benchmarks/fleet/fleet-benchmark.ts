import { findKubernetes } from '@smalt/bed-kubernetes';
import { startTestDaemons } from '@smalt/bed-libvirt';

import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { fleetFigures, LIMITS } from './figures.ts';
import { planFleet, type FleetPlan } from './fleet-plan.ts';
import type { FleetResult } from './fleet-result.ts';
import { measureFleet } from './measure-fleet.ts';
import { SERVER_NAMES, type ServerName } from './server-name.ts';
import { fleetTables } from './tables.ts';

/** A fleet that grows from 100 to 1,000 hosts, on our API server and on the real one. */
export const fleetBenchmark: Benchmark = {
  name: 'fleet',
  summary: '1,000 hosts with 10,000 machines on our API server and on kube-apiserver: CPU, memory, API calls, watches',
  peers: SERVER_NAMES,
  run: runFleetBenchmark,
};

async function runFleetBenchmark(
  { quick, only, progress }: BenchmarkOptions,
  signal: AbortSignal,
): Promise<BenchmarkReport> {
  const plan = planFleet(quick);
  const most = Math.max(...plan.sizes);
  progress(`${most} daemons of libvirt's mock hypervisor`);
  await using swarm = await startTestDaemons(most, { signal });
  const { daemons } = swarm;
  const results: FleetResult[] = [];
  for (const server of serversAtHand(only)) {
    results.push(await measureFleet({ server, program: 'bundle', daemons, plan, progress, signal }));
  }
  return {
    bench: 'fleet',
    facts: machineFacts(),
    tables: fleetTables(results),
    notes: notesOf(plan, quick),
    figures: fleetFigures(results),
    targets: {},
    limits: LIMITS,
  };
}

function serversAtHand(only: string | undefined): readonly ServerName[] {
  const all = SERVER_NAMES.filter((name) => name === 'smalt' || findKubernetes() !== undefined);
  return all.filter((name) => only === undefined || only === name);
}

function notesOf(plan: FleetPlan, isQuick: boolean): readonly string[] {
  const { hostsPerProcess, windowSeconds, restartsPerMinute } = plan;
  return [
    ...(findKubernetes() === undefined ? ['no kube-apiserver: npm run bed:kubernetes builds it'] : []),
    'real: the server, virt-controller, scheduler, operator and HA service from the bundle, a process each; every host has a libvirtd with the mock hypervisor, and the code of node agent with HA agent, pod runner and virt-handler with all intervals as they come',
    `light: the agents of ${hostsPerProcess} hosts share a process and run from the sources; pods are recorded and have no processes; nothing of virt-api, OVS or a network`,
    `measured over ${windowSeconds} s, in which ${(restartsPerMinute * 100).toFixed(0)} % of all machines a minute are restarted, and one host is drained`,
    'cost_growth_100_to_1000 is the processor time of server, controllers and agents with 1,000 hosts over that with 100, in windows of the same length: 10 is linear',
    'rss_mb_1000_hosts is the resident memory of the server and the controllers; that of agents is on their hosts',
    ...(isQuick ? ['quick run: fewer hosts, so no figures of 1,000'] : []),
  ];
}
