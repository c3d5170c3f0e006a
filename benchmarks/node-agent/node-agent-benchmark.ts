import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { planAgents, type AgentPlan } from './agent-plan.ts';
import { findAgents, type AgentSources } from './agent-sources.ts';
import { agentFigures, LIMITS, TARGETS } from './figures.ts';
import { measureAgents } from './measure-agents.ts';
import { measureSwarm } from './measure-swarm.ts';
import { agentTable, swarmTable } from './tables.ts';

/** Our node agent beside the existing one in Go, on the same daemon and the same API server; and many of ours. */
export const nodeAgentBenchmark: Benchmark = {
  name: 'node-agent',
  summary: 'node agents: ours, kvm-node-agent in Go; and 300 of ours on one machine',
  run: async (options, signal) => runNodeAgentBenchmark(options, await findAgents(signal), signal),
};

/** Runs the benchmark on the agents that are given, ours among them. */
async function runNodeAgentBenchmark(
  { quick, rounds, progress }: BenchmarkOptions,
  { sources, notes }: AgentSources,
  signal: AbortSignal,
): Promise<BenchmarkReport> {
  const plan = planAgents(quick, rounds);
  const measuring = { plan, program: 'bundle', progress, signal } as const;
  const results = await measureAgents(sources, measuring);
  const swarm = await measureSwarm(measuring);
  return {
    bench: 'node-agent',
    facts: machineFacts(),
    tables: [agentTable(results), swarmTable(swarm)],
    notes: [...notes, ...notesOf(plan, quick)],
    figures: agentFigures(results, swarm),
    targets: TARGETS,
    limits: LIMITS,
  };
}

function notesOf({ cycles, countedCycles, swarm }: AgentPlan, isQuick: boolean): readonly string[] {
  return [
    'a real libvirtd with QEMU; all domains but one are defined, with pinned vCPUs and memory, and do not change',
    `event to status: from the event at a client of the benchmark to the change on its watch, ${cycles.smalt} × 4 events, ${cycles.go} × 4 for the Go agent`,
    `calls are counted by a proxy between agent and daemon, over ${countedCycles} × 4 events and what they lead to`,
    'event_vs_go is that of the medians; both are taken at the largest number of domains',
    `the ${swarm.agents} agents run ${swarm.agentsPerProcess} to a process, on libvirt's mock hypervisor`,
    ...(isQuick ? ['quick run: fewer domains, events and agents, so no figures of 1,000 domains'] : []),
  ];
}
