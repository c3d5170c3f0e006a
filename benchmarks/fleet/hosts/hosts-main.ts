import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { loadKubeConfig, type KubeConfig } from '@smalt/kube';
import { startNodeAgent } from '@smalt/node-agent';
import { createLogger } from '@smalt/service-runtime';

import { tokenOf } from '../../ha/bench-agent.ts';
import { SYSTEM_NAMESPACE } from '../../vms/cluster/machine-accounts.ts';
import { startMockHandler, startMockRunner, type MockNode } from '../../vms/swarm/mock-node.ts';
import { readHostsTask, type HostPlace, type HostsTask } from './hosts-task.ts';

/** A host has room for a few machines more than it starts with: those of a host that is drained have to go somewhere. */
const CAPACITY = { cpu: '64', memory: '256Gi', pods: '12' };
const STARTED_AT_ONCE = 4;

/**
 * Runs the agents of many hosts in one process: node agent with HA agent, pod runner and virt-handler. Its one line of input
 * says which (`hosts-task.ts`); it prints `{"ready":N}` when all have started, and ends with its input.
 */
async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true) return;
  const task = readHostsTask(first.value);
  await using agents = new AsyncDisposableStack();
  const kubeConfig = await loadKubeConfig({ path: task.kubeconfig, environment: {} });
  const left = task.hosts.values();
  const work = async (): Promise<void> => {
    for (const host of left) await startHost(task, host, kubeConfig, agents);
  };
  await Promise.all(Array.from({ length: STARTED_AT_ONCE }, work));
  process.stdout.write(`${JSON.stringify({ ready: task.hosts.length })}\n`);
  await lines.next();
}

async function startHost(
  { folder, haService }: HostsTask,
  { name, uri }: HostPlace,
  kubeConfig: KubeConfig,
  agents: AsyncDisposableStack,
): Promise<void> {
  const { signal } = new AbortController();
  const directory = join(folder, name);
  const logger = createLogger({ name, level: 'error', destination: process.stderr });
  const node: MockNode = { name, uri, directory, capacity: CAPACITY, logger };
  agents.use(await startMockRunner(node, kubeConfig, signal));
  agents.use(await startMockHandler(node, kubeConfig, signal));
  const tokenFile = join(directory, 'token');
  await writeFile(tokenFile, tokenOf(haService.secret, name), { mode: 0o600 });
  const { url, authorityFile } = haService;
  const options = {
    nodeName: name,
    namespace: SYSTEM_NAMESPACE,
    kubeConfig,
    libvirt: { kind: 'host', uri },
    stateDirectory: join(directory, 'agent'),
    busPath: '/nonexistent',
    ha: { service: { url, authorityFile, identity: { kind: 'token', tokenFile } } },
    logger,
  } as const;
  agents.use(await startNodeAgent(options, signal));
}

await main();
