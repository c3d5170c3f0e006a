import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { freePorts, ServerProcess, type SmaltProgram } from '@smalt/bed-kubernetes';
import type { OvsNode } from '@smalt/bed-ovs';
import type { OVSNode } from '@smalt/ovs-api';

import { readMetricSum } from '../operator/read-metric-sum.ts';
import type { OvsWorld } from './ovs-world.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PROGRAMS: Readonly<Record<SmaltProgram, string>> = {
  sources: join(REPOSITORY, 'apps/smalt/src/main.ts'),
  bundle: join(REPOSITORY, '.cache/bundle/smalt.mjs'),
};
const START_TIMEOUT_MS = 120_000;

/** `smalt ovs-agent` at work on a node, whose OVSNode shows the bridges. */
export interface RunningOvsAgent extends AsyncDisposable {
  readonly pid: number;
  /** What it counts, as Prometheus reads it. */
  metrics(): Promise<string>;
}

/** Starts the agent as a node has it, with changes to its configuration, and waits until its OVSNode is filled. */
export async function runOvsAgent(
  world: OvsWorld,
  node: OvsNode,
  options: { readonly settings?: Readonly<Record<string, unknown>>; readonly signal: AbortSignal },
): Promise<RunningOvsAgent> {
  const [port = 0] = await freePorts(1);
  const config = {
    node: node.name,
    kubeconfig: world.api.kubeconfig,
    runDirectories: [node.runDirectory],
    listen: `127.0.0.1:${port}`,
    // Links are lost here more often in a minute than on a real node in a year.
    writesPerMinute: 6_000,
    ...options.settings,
  };
  const file = join(world.folder, `${node.name}-${port}.json`);
  await writeFile(file, JSON.stringify(config));
  const command = [process.execPath, PROGRAMS[world.program], 'ovs-agent', '--config', file];
  const agent = ServerProcess.start('smalt ovs-agent', command, join(world.folder, `${node.name}.log`));
  const deadline = AbortSignal.any([options.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  try {
    // What an agent before it has written is there already.
    await agent.whenReady(() => isAtWork(port), deadline);
    await world.watch.until(node.name, isFilled, deadline);
  } catch (error) {
    await agent[Symbol.asyncDispose]();
    throw error;
  }
  return {
    pid: agent.pid,
    metrics: async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

async function isAtWork(port: number): Promise<boolean> {
  const told = await Promise.all(['smalt_ovs_agent_reporting', 'ovs_up'].map((name) => readMetricSum(port, name)));
  return told.every((value) => value === 1);
}

/** Whether it shows flows of every bridge, and a bond of which all members are up. */
export function isFilled({ status }: OVSNode): boolean {
  const bridges = status?.bridges ?? [];
  const bonds = status?.interfaces?.bonds ?? [];
  const hasFlows = bridges.length > 0 && bridges.every(({ flows }) => flows !== undefined);
  return hasFlows && bonds.length > 0 && bonds.every(({ members, activeMembers }) => members === activeMembers);
}
