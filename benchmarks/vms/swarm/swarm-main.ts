import { once } from 'node:events';
import { join } from 'node:path';

import type { KubeClient } from '@smalt/kube';
import { createLogger } from '@smalt/service-runtime';

import { openClient } from '../../node-agent/agent-world.ts';
import { joinAs } from '../cluster/machine-accounts.ts';
import { untilNode } from '../cluster/node-objects.ts';
import { startMockHandler, startMockRunner, type MockNode } from './mock-node.ts';

/** What a node of the swarm says it has. */
const CAPACITY = { cpu: '16', memory: '64Gi', pods: '500' };

/**
 * Runs pod runners and handlers of several nodes with mock hypervisors in one process: `KUBECONFIG FOLDER NAME=URI …`.
 * Prints `{"ready":N}`, ends with its input.
 */
async function main([kubeconfig = '', folder = '', ...nodes]: readonly string[]): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const admin = parts.use(await openClient(kubeconfig));
  const logger = createLogger({ name: 'swarm', level: 'warn', destination: process.stderr });
  for (const node of nodes) {
    const [name, uri] = [node.slice(0, node.indexOf('=')), node.slice(node.indexOf('=') + 1)];
    await startNode(admin, { name, uri, directory: join(folder, name), capacity: CAPACITY, logger }, parts);
  }
  process.stdout.write(`${JSON.stringify({ ready: nodes.length })}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
}

async function startNode(admin: KubeClient, node: MockNode, parts: AsyncDisposableStack): Promise<void> {
  const { signal } = new AbortController();
  const runner = await joinAs(admin, { name: 'smalt-pod-runner' }, signal);
  parts.use(await startMockRunner(node, runner, signal));
  await untilNode(admin, node.name, () => true);
  const handler = await joinAs(admin, { name: 'smalt-virt-handler', nodeName: node.name }, signal);
  parts.use(await startMockHandler(node, handler, signal));
}

await main(process.argv.slice(2));
