import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { startOvsNodes, type OvsNode } from '@smalt/bed-ovs';

import { PeerProcess } from '../src/peer-process.ts';
import { readProcessMemory } from '../src/process-memory.ts';
import { makeBridges } from './fill-node.ts';
import { measureLosses } from './measure-losses.ts';
import type { SwarmPlan } from './ovs-plan.ts';
import type { SwarmResult } from './ovs-result.ts';
import type { OvsWorld } from './ovs-world.ts';
import { isFilled } from './run-ovs-agent.ts';

const SEEN_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 60_000;
const PREPARED_AT_ONCE = 4;
const PAUSE_MS = 100;

/** Runs many agents, several per process, each with an Open vSwitch of its own and all on one API server. */
export async function measureSwarm(
  world: OvsWorld,
  { plan, progress, signal }: { plan: SwarmPlan; progress: (line: string) => void; signal: AbortSignal },
): Promise<SwarmResult> {
  await using owner = new AsyncDisposableStack();
  progress(`${plan.agents} nodes with Open vSwitch`);
  const { nodes } = owner.use(await startOvsNodes(plan.agents, { datapath: 'dummy' }));
  const left = nodes.values();
  const prepare = async (): Promise<void> => {
    for (const node of left) await makeBridges(node);
  };
  await Promise.all(Array.from({ length: PREPARED_AT_ONCE }, prepare));
  progress(`${plan.agents} agents`);
  const startedAt = performance.now();
  const processes = startProcesses(nodes, plan, world);
  for (const each of processes) owner.use(each);
  await Promise.all(processes.map((each) => each.answer(signal)));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(SEEN_TIMEOUT_MS)]);
  const seen = await Promise.all(nodes.map(({ name }) => world.watch.until(name, isFilled, deadline)));
  const filledMs = Math.max(...seen) - startedAt;
  progress(`${plan.losses} links are lost`);
  const lossMs = await loseLinks(world, nodes.slice(0, plan.losses), signal);
  const memories = await Promise.all(processes.map(({ pid }) => readProcessMemory(pid)));
  const residentBytes = memories.reduce((sum, memory) => sum + memory.residentBytes, 0);
  return { agents: plan.agents, filledMs, residentBytes, lossMs };
}

function startProcesses(nodes: readonly OvsNode[], { agentsPerProcess }: SwarmPlan, world: OvsWorld): PeerProcess[] {
  const count = Math.ceil(nodes.length / agentsPerProcess);
  return Array.from({ length: count }, (_, index) => {
    const own = nodes.slice(index * agentsPerProcess, (index + 1) * agentsPerProcess);
    const words = own.map(({ name, runDirectory }) => `${name}=${runDirectory}`);
    const program = join(import.meta.dirname, 'swarm-main.ts');
    const command = [process.execPath, program, world.api.kubeconfig, ...words];
    return new PeerProcess(`agents ${index}`, command, STOP_TIMEOUT_MS);
  });
}

/** Loses one link of each node, at a steady pace, and waits for all to show. */
async function loseLinks(world: OvsWorld, nodes: readonly OvsNode[], signal: AbortSignal): Promise<readonly number[]> {
  const samples: Promise<readonly number[]>[] = [];
  // The others never come to rest, so nobody waits for that.
  const watch = { until: world.watch.until.bind(world.watch), quietMs: Infinity };
  for (const node of nodes) {
    samples.push(measureLosses({ watch }, node, { where: node.name, rounds: 1, signal }).then(({ times }) => times));
    await delay(PAUSE_MS, undefined, { signal });
  }
  return (await Promise.all(samples)).flat();
}
