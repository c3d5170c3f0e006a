import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { openImageStore } from '@smalt/image-store';
import type { KubeClient } from '@smalt/kube';
import { startPodRunner } from '@smalt/pod-runner';
import { createLogger, type Logger } from '@smalt/service-runtime';
import { startVirtHandler } from '@smalt/virt-handler';

import { openClient } from '../../node-agent/agent-world.ts';
import { joinAs } from '../cluster/machine-accounts.ts';
import { untilNode } from '../cluster/node-objects.ts';

/** What a node of the swarm says it has. */
const CAPACITY = { cpu: '16', memory: '64Gi', pods: '500' };

interface Swarm {
  readonly admin: KubeClient;
  readonly folder: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Runs pod runners and handlers of several nodes with mock hypervisors in one process: `KUBECONFIG FOLDER NAME=URI …`.
 * Prints `{"ready":N}`, ends with its input.
 */
async function main([kubeconfig = '', folder = '', ...nodes]: readonly string[]): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const admin = parts.use(await openClient(kubeconfig));
  const logger = createLogger({ name: 'swarm', level: 'warn', destination: process.stderr });
  const signal = new AbortController().signal;
  for (const node of nodes) {
    const cut = node.indexOf('=');
    await startNode({ admin, folder, logger, signal }, { name: node.slice(0, cut), uri: node.slice(cut + 1) }, parts);
  }
  process.stdout.write(`${JSON.stringify({ ready: nodes.length })}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
}

async function startNode(
  { admin, folder, logger, signal }: Swarm,
  { name, uri }: { readonly name: string; readonly uri: string },
  parts: AsyncDisposableStack,
): Promise<void> {
  const directory = join(folder, name);
  await mkdir(directory, { recursive: true });
  const [podsDirectory, stateDirectory] = [join(directory, 'pods'), join(directory, 'vh')];
  const shared = { nodeName: name, logger, podsDirectory };
  const runner = {
    ...shared,
    kubeConfig: await joinAs(admin, { name: 'smalt-pod-runner' }, signal),
    images: openImageStore(join(directory, 'images')),
    volumesDirectory: '',
    runsProcesses: false,
    address: '127.0.0.1',
    capacity: CAPACITY,
  };
  parts.use(await startPodRunner(runner, signal));
  await untilNode(admin, name, () => true);
  const kubeConfig = await joinAs(admin, { name: 'smalt-virt-handler', nodeName: name }, signal);
  parts.use(await startVirtHandler({ ...shared, kubeConfig, stateDirectory, drivers: { test: { uri } } }, signal));
}

await main(process.argv.slice(2));
