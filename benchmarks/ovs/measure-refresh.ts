import { setTimeout as delay } from 'node:timers/promises';

import type { OvsNode } from '@smalt/bed-ovs';

import { readProcessCpu } from '../src/process-cpu.ts';
import type { RefreshPlan } from './ovs-plan.ts';
import type { LookCost, RefreshResult } from './ovs-result.ts';
import type { OvsWorld } from './ovs-world.ts';
import { refreshesOf } from './refreshes-of.ts';
import { runOvsAgent } from './run-ovs-agent.ts';
import { spentBy } from './spent-by.ts';

/** Every second, and never: the difference is what refreshes cost. A node has one every 10 s. */
const REFRESH_SECONDS = { often: 1, never: 3_600 } as const;
const MILLISECONDS = 1_000;
const LOOK_AGAIN_MS = 500;

interface Measuring {
  readonly world: OvsWorld;
  readonly node: OvsNode;
  readonly plan: RefreshPlan;
  readonly signal: AbortSignal;
}

/** Measures what one refresh of the agent costs ovs-vswitchd, the database and the agent, and what its presence costs. */
export async function measureRefresh(measuring: Measuring): Promise<RefreshResult> {
  const { node, plan } = measuring;
  // Counters of all ports are many times what is measured, and come whether or not somebody looks.
  await node.vsctl('set', 'Open_vSwitch', '.', 'other_config:stats-update-interval=3600000');
  const alone = await watchDaemons(measuring, plan.quietSeconds);
  const resting = await watchAgent(measuring, 'never');
  const busy = await watchAgent(measuring, 'often');
  await node.vsctl('remove', 'Open_vSwitch', '.', 'other_config', 'stats-update-interval');
  return {
    ours: difference('smalt ovs-agent, one refresh', busy, resting, busy.seconds / busy.refreshes),
    presence: difference('smalt ovs-agent, a second between refreshes', resting, alone, 1),
    refreshes: busy.refreshes,
  };
}

/** What was spent in a second, by whom, in seconds. */
interface Spending {
  readonly vswitchd: number;
  readonly database: number;
  readonly agent: number;
}

interface WatchedAgent extends Spending {
  readonly seconds: number;
  readonly refreshes: number;
}

function difference(name: string, more: Spending, less: Spending, seconds: number): LookCost {
  const cost = (who: keyof Spending): number => (more[who] - less[who]) * seconds * MILLISECONDS;
  return { name, vswitchdMs: cost('vswitchd'), databaseMs: cost('database'), clientMs: cost('agent') };
}

async function watchAgent(measuring: Measuring, how: keyof typeof REFRESH_SECONDS): Promise<WatchedAgent> {
  const { world, node, plan, signal } = measuring;
  await using agent = await runOvsAgent(world, node, { settings: { refreshSeconds: REFRESH_SECONDS[how] }, signal });
  await delay(plan.settleSeconds * MILLISECONDS, undefined, { signal });
  const refreshesBefore = refreshesOf(await agent.metrics());
  const cpuBefore = await readProcessCpu(agent.pid);
  const began = performance.now();
  const refreshesNow = async (): Promise<number> => refreshesOf(await agent.metrics()) - refreshesBefore;
  // It refreshes seldomer where the machine is slow.
  const isEnough = async (): Promise<boolean> => how === 'never' || (await refreshesNow()) > 0;
  const spent = await watchDaemons(measuring, plan.busySeconds, isEnough);
  const seconds = (performance.now() - began) / MILLISECONDS;
  const cpu = ((await readProcessCpu(agent.pid)) - cpuBefore) / seconds;
  return { ...spent, agent: cpu, seconds, refreshes: await refreshesNow() };
}

async function watchDaemons(
  { node, signal }: Measuring,
  seconds: number,
  isEnough: () => Promise<boolean> = async () => true,
): Promise<Spending> {
  const before = await spentBy(node);
  const began = performance.now();
  await delay(seconds * MILLISECONDS, undefined, { signal });
  while (!(await isEnough())) await delay(LOOK_AGAIN_MS, undefined, { signal });
  const after = await spentBy(node);
  const passed = (performance.now() - began) / MILLISECONDS;
  const perSecond = (who: 'vswitchd' | 'database'): number => (after[who] - before[who]) / passed;
  return { vswitchd: perSecond('vswitchd'), database: perSecond('database'), agent: 0 };
}
