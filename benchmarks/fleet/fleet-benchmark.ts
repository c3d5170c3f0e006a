import { findKubernetes } from '@smalt/bed-kubernetes';
import { startTestDaemons } from '@smalt/bed-libvirt';
import { messageOf } from '@smalt/service-runtime';

import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { planFleet, type FleetPlan } from './fleet-plan.ts';
import { fleetReport } from './fleet-report.ts';
import type { FleetResult } from './fleet-result.ts';
import { measureFleet } from './measure-fleet.ts';
import { SERVER_NAMES, type ServerName } from './server-name.ts';

/** A fleet that grows from 100 to 1,000 hosts, on our API server and on the real one. */
export const fleetBenchmark: Benchmark = {
  name: 'fleet',
  summary: '1,000 hosts with 10,000 machines on our API server and on kube-apiserver: CPU, memory, API calls, watches',
  peers: SERVER_NAMES,
  hasSizes: true,
  run: runFleetBenchmark,
};

async function runFleetBenchmark(options: BenchmarkOptions, signal: AbortSignal): Promise<BenchmarkReport> {
  const plan = planFleet(options.quick, options.sizes);
  const results: FleetResult[] = [];
  let trouble: string | undefined;
  try {
    for await (const result of measureServers(plan, options, signal)) results.push(result);
  } catch (error) {
    // What was measured before took long: it is told all the same.
    trouble = messageOf(signal.aborted ? signal.reason : error);
  }
  return fleetReport({ facts: machineFacts(), plan, results, hasKubernetes: findKubernetes() !== undefined, trouble });
}

async function* measureServers(
  plan: FleetPlan,
  { only, progress }: BenchmarkOptions,
  signal: AbortSignal,
): AsyncGenerator<FleetResult> {
  const most = Math.max(...plan.sizes);
  progress(`${most} daemons of libvirt's mock hypervisor`);
  await using swarm = await startTestDaemons(most, { signal });
  const { daemons } = swarm;
  for (const server of serversAtHand(only)) {
    signal.throwIfAborted();
    yield await measureFleet({ server, program: 'bundle', daemons, plan, progress, signal });
  }
}

function serversAtHand(only: string | undefined): readonly ServerName[] {
  const all = SERVER_NAMES.filter((name) => name === 'smalt' || findKubernetes() !== undefined);
  return all.filter((name) => only === undefined || only === name);
}
