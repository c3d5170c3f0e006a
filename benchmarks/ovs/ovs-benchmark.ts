import { startOvsNode, type OvsNode } from '@smalt/bed-ovs';

import type { Benchmark, BenchmarkOptions, BenchmarkReport } from '../src/benchmark.ts';
import { machineFacts } from '../src/machine-facts.ts';
import { ovsFigures, LIMITS, TARGETS } from './figures.ts';
import { fillNode, makeBridges } from './fill-node.ts';
import { measureLosses } from './measure-losses.ts';
import { measureRefresh } from './measure-refresh.ts';
import { measureRest } from './measure-rest.ts';
import { measureSwarm } from './measure-swarm.ts';
import { measureTools } from './measure-tools.ts';
import { planOvs, type OvsPlan } from './ovs-plan.ts';
import type { LossResult, OvsResults, RestResult } from './ovs-result.ts';
import { startOvsWorld, type OvsWorld } from './ovs-world.ts';
import { runOvsAgent } from './run-ovs-agent.ts';
import { ovsTables } from './tables.ts';

/** The OVS agent: what it costs the switch and the node, how soon it tells, and many of them. */
export const ovsBenchmark: Benchmark = {
  name: 'ovs',
  summary: 'the OVS agent beside the tools of Open vSwitch: 50,000 flows, 1,000 ports, lost links, 100 agents',
  run: runOvsBenchmark,
};

async function runOvsBenchmark({ quick, progress }: BenchmarkOptions, signal: AbortSignal): Promise<BenchmarkReport> {
  const plan = planOvs(quick);
  await using world = await startOvsWorld('bundle', signal);
  const results = await measure(world, plan, { progress, signal });
  return {
    bench: 'ovs',
    facts: machineFacts(),
    tables: ovsTables(results),
    notes: notesOf(plan, quick),
    figures: ovsFigures(results),
    targets: TARGETS,
    limits: LIMITS,
  };
}

interface Measuring {
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

async function measure(world: OvsWorld, plan: OvsPlan, { progress, signal }: Measuring): Promise<OvsResults> {
  progress(`a node with ${plan.size.ports} ports and ${plan.size.flows} flows`);
  await using large = await startOvsNode({ datapath: 'dummy', name: 'large' });
  await makeBridges(large);
  await fillNode(large, plan.size);
  progress('tools of Open vSwitch look at it');
  const tools = await measureTools(large, plan.toolRuns, signal);
  progress('the agent looks at it');
  const refresh = await measureRefresh({ world, node: large, plan: plan.refresh, signal });
  progress(`it rests there, and ${plan.losses.onLarge} links are lost`);
  const { rest, losses: onLarge } = await watchLarge(world, large, plan, signal);
  progress('and on a node with real devices');
  const onReal = await watchReal(world, plan, signal);
  const swarm = await measureSwarm(world, { plan: plan.swarm, progress, signal });
  return { size: plan.size, refresh, rest, tools, losses: [onLarge, onReal], swarm };
}

async function watchLarge(
  world: OvsWorld,
  node: OvsNode,
  plan: OvsPlan,
  signal: AbortSignal,
): Promise<{ readonly rest: RestResult; readonly losses: LossResult }> {
  await using agent = await runOvsAgent(world, node, { signal });
  const rest = await measureRest(agent, plan.restSeconds, signal);
  const losses = await measureLosses(world, node, { where: 'the large node', rounds: plan.losses.onLarge, signal });
  return { rest, losses };
}

async function watchReal(world: OvsWorld, plan: OvsPlan, signal: AbortSignal): Promise<LossResult> {
  await using node = await startOvsNode({ datapath: 'netdev', name: 'real' });
  await makeBridges(node);
  await using _agent = await runOvsAgent(world, node, { signal });
  return await measureLosses(world, node, { where: 'a node with real devices', rounds: plan.losses.onReal, signal });
}

function notesOf({ refresh, toolRuns, swarm }: OvsPlan, isQuick: boolean): readonly string[] {
  return [
    'the agent and the API server run from the bundle; devices of the large node are faked by ovs-vswitchd',
    `a refresh: what ${refresh.busySeconds} s with one every second cost more than as long with none; CPU time of the main thread of ovs-vswitchd, which counts no packets meanwhile, as the scheduler counts it`,
    `tools: the median of ${toolRuns} runs; dump_flows_vs_ours is that of the main thread of ovs-vswitchd`,
    'a lost link: from the order to take it down until the watch has the interface as Down and its bond as Degraded; each when all is quiet',
    `the ${swarm.agents} agents run ${swarm.agentsPerProcess} to a process`,
    ...(isQuick ? ['quick run: a smaller node and fewer agents, so no figures of 50,000 flows'] : []),
  ];
}
