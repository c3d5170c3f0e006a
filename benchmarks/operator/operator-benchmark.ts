import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { LIMITS, operatorFigures, TARGETS } from './figures.ts';
import { measureDrain } from './measure-drain.ts';
import { measureOnboarding } from './measure-onboarding.ts';
import { planOperators, type OperatorPlan } from './operator-plan.ts';
import type { DrainResult, OnboardingResult } from './operator-result.ts';
import { findOperators, type OperatorSource, type OperatorSources } from './operator-sources.ts';
import { drainTable, onboardingTable } from './tables.ts';

const PROGRAM = 'bundle';

/** Our hypervisor operator beside the existing one in Go, each between an API server and a simulated OpenStack. */
export const operatorBenchmark: Benchmark = {
  name: 'operator',
  summary: 'hypervisor operators: ours, openstack-hypervisor-operator in Go; onboarding and draining',
  run: async (options, signal) => runOperatorBenchmark(options, await findOperators(signal), signal),
};

async function runOperatorBenchmark(
  { quick, progress }: BenchmarkOptions,
  sources: OperatorSources,
  signal: AbortSignal,
): Promise<BenchmarkReport> {
  const plan = planOperators(quick);
  const onboardings = await measureOnboardings(sources, plan, { progress, signal });
  const drains = await measureDrains(sources.ours, plan, { progress, signal });
  return {
    bench: 'operator',
    facts: machineFacts(),
    tables: [onboardingTable(onboardings), drainTable(drains)],
    notes: [...sources.notes, ...notesOf(plan, quick)],
    figures: operatorFigures(onboardings, drains),
    targets: TARGETS,
    limits: LIMITS,
  };
}

interface Running {
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

async function measureOnboardings(
  { ours, peer }: OperatorSources,
  { nodeCounts, peerNodes, latencyMs }: OperatorPlan,
  { progress, signal }: Running,
): Promise<readonly OnboardingResult[]> {
  const runs = [
    ...nodeCounts.map((nodes) => ({ source: ours, nodes })),
    ...(peer === undefined ? [] : [{ source: peer, nodes: peerNodes }]),
  ];
  const results: OnboardingResult[] = [];
  for (const { source, nodes } of runs) {
    progress(`${source.name}: ${nodes} nodes appear`);
    results.push(await measureOnboarding({ source, nodes, latencyMs, program: PROGRAM }, signal));
  }
  return results;
}

async function measureDrains(
  source: OperatorSource,
  { drain: plan, latencyMs }: OperatorPlan,
  { progress, signal }: Running,
): Promise<readonly DrainResult[]> {
  const results: DrainResult[] = [];
  for (const limit of [undefined, 1]) {
    progress(`a host of ${plan.servers} servers is emptied, ${limit ?? 'many'} at a time`);
    results.push(await measureDrain({ source, plan, latencyMs, limit, program: PROGRAM }, signal));
  }
  return results;
}

function notesOf({ latencyMs, drain }: OperatorPlan, isQuick: boolean): readonly string[] {
  return [
    `API server, simulated OpenStack and operator are processes of their own; every answer of OpenStack takes ${latencyMs} ms at least`,
    'nodes are made by 32 clients at once; the tests are skipped, and no HA service is waited for',
    'calls count from the first node on until the last is onboarded; watches and leases are among them',
    `draining: a move takes ${drain.moveMs} ms, and there are ${drain.targets} hosts to go to; both runs differ in eviction.limits.perHost alone`,
    'the Go operator needs Hypervisors without high availability to be there beforehand, and the kind of cert-manager',
    ...(isQuick ? ['quick run: fewer nodes and servers, so no figures of 1,000 nodes and 100 servers'] : []),
  ];
}
