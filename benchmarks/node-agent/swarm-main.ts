import { once } from 'node:events';
import { join } from 'node:path';

import { loadKubeConfig } from '@smalt/kube';
import { startNodeAgent } from '@smalt/node-agent';
import { createLogger } from '@smalt/service-runtime';

/** Runs several agents in one process: `KUBECONFIG FOLDER NAME=URI …`. Prints `{"ready":N}`, ends with its input. */
async function main([kubeconfig = '', folder = '', ...nodes]: readonly string[]): Promise<void> {
  const kubeConfig = await loadKubeConfig({ path: kubeconfig, environment: {} });
  const logger = createLogger({ name: 'swarm', level: 'warn', destination: process.stderr });
  await using agents = new AsyncDisposableStack();
  const stopping = new AbortController();
  for (const node of nodes) {
    const [nodeName, uri] = [node.slice(0, node.indexOf('=')), node.slice(node.indexOf('=') + 1)];
    const libvirt = { kind: 'host', uri } as const;
    const stateDirectory = join(folder, nodeName);
    const options = { nodeName, kubeConfig, libvirt, stateDirectory, logger, register: true, busPath: '/nonexistent' };
    agents.use(await startNodeAgent(options, stopping.signal));
  }
  process.stdout.write(`${JSON.stringify({ ready: nodes.length })}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
}

await main(process.argv.slice(2));
