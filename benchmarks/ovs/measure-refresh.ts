import { setTimeout as delay } from 'node:timers/promises';

import type { OvsNode } from '@smalt/bed-ovs';

import { readMainThreadCpu, readProcessCpu } from '../src/process-cpu.ts';
import type { RefreshPlan } from './ovs-plan.ts';
import type { RefreshResult } from './ovs-result.ts';
import { refreshesOf } from './refreshes-of.ts';
import { runOvsAgent } from './run-ovs-agent.ts';
import type { OvsWorld } from './ovs-world.ts';

/** So often that what the rest costs does not count; a node has it every 10 s. */
const REFRESH_SECONDS = 1;
const MILLISECONDS = 1_000;
const LOOK_AGAIN_MS = 500;

/** Measures what one refresh of the agent costs ovs-vswitchd, the database and the agent, beyond what they do without it. */
export async function measureRefresh(
  world: OvsWorld,
  node: OvsNode,
  { plan, signal }: { readonly plan: RefreshPlan; readonly signal: AbortSignal },
): Promise<RefreshResult> {
  // Counters of all ports are many times what is measured, and come whether or not somebody looks.
  await node.vsctl('set', 'Open_vSwitch', '.', 'other_config:stats-update-interval=3600000');
  const before = await spentPerSecond(node, plan.quietSeconds, signal);
  const busy = await measureBusy(world, node, { plan, signal });
  const after = await spentPerSecond(node, plan.quietSeconds, signal);
  await node.vsctl('remove', 'Open_vSwitch', '.', 'other_config', 'stats-update-interval');
  const perRefresh = (of: (spent: Spent) => number): number =>
    ((of(busy.spent) - (of(before) + of(after)) / 2) * busy.seconds * MILLISECONDS) / busy.refreshes;
  const ours = {
    name: 'smalt ovs-agent, one refresh',
    vswitchdMs: perRefresh(({ vswitchd }) => vswitchd),
    databaseMs: perRefresh(({ database }) => database),
    clientMs: (busy.cpuSeconds * MILLISECONDS) / busy.refreshes,
  };
  return { ours, refreshes: busy.refreshes };
}

interface BusyTime {
  readonly spent: Spent;
  readonly seconds: number;
  readonly refreshes: number;
  /** Of the agent. */
  readonly cpuSeconds: number;
}

async function measureBusy(
  world: OvsWorld,
  node: OvsNode,
  { plan, signal }: { readonly plan: RefreshPlan; readonly signal: AbortSignal },
): Promise<BusyTime> {
  await using agent = await runOvsAgent(world, node, { settings: { refreshSeconds: REFRESH_SECONDS }, signal });
  await delay(plan.settleSeconds * MILLISECONDS, undefined, { signal });
  const before = { refreshes: refreshesOf(await agent.metrics()), cpu: await readProcessCpu(agent.pid) };
  const began = performance.now();
  // It refreshes seldomer where the machine is slow.
  const hasRefreshed = async (): Promise<boolean> => refreshesOf(await agent.metrics()) > before.refreshes;
  const spent = await spentPerSecond(node, plan.busySeconds, signal, hasRefreshed);
  const seconds = (performance.now() - began) / MILLISECONDS;
  const cpuSeconds = (await readProcessCpu(agent.pid)) - before.cpu;
  const refreshes = refreshesOf(await agent.metrics()) - before.refreshes;
  return { spent, seconds, refreshes, cpuSeconds };
}

interface Spent {
  readonly vswitchd: number;
  readonly database: number;
}

async function spentPerSecond(
  node: OvsNode,
  seconds: number,
  signal: AbortSignal,
  isEnough: () => Promise<boolean> = async () => true,
): Promise<Spent> {
  const before = await spentBy(node);
  const began = performance.now();
  await delay(seconds * MILLISECONDS, undefined, { signal });
  while (!(await isEnough())) await delay(LOOK_AGAIN_MS, undefined, { signal });
  const after = await spentBy(node);
  const passed = (performance.now() - began) / MILLISECONDS;
  return {
    vswitchd: (after.vswitchd - before.vswitchd) / passed,
    database: (after.database - before.database) / passed,
  };
}

/** Of the main thread of ovs-vswitchd, and of ovsdb-server, in seconds since they were started. */
export async function spentBy({ pids }: OvsNode): Promise<Spent> {
  const [vswitchd, database] = await Promise.all([
    readMainThreadCpu(pids['ovs-vswitchd'] ?? 0),
    readProcessCpu(pids['ovsdb-server'] ?? 0),
  ]);
  return { vswitchd, database };
}
