import { once } from 'node:events';

import { loadKubeConfig } from '@smalt/kube';
import { startOvsAgent } from '@smalt/ovs-agent';
import { createLogger } from '@smalt/service-runtime';

/** Runs several agents in one process: `KUBECONFIG NAME=DIRECTORY …`. Prints `{"ready":N}`, ends with its input. */
async function main([kubeconfig = '', ...nodes]: readonly string[]): Promise<void> {
  const kubeConfig = await loadKubeConfig({ path: kubeconfig, environment: {} });
  const logger = createLogger({ name: 'swarm', level: 'warn', destination: process.stderr });
  await using agents = new AsyncDisposableStack();
  const stopping = new AbortController();
  for (const node of nodes) {
    const [nodeName = '', directory = ''] = node.split('=');
    const options = { nodeName, kubeConfig, logger, runDirectories: [directory], lockDirectory: directory };
    agents.use(await startOvsAgent(options, stopping.signal));
  }
  process.stdout.write(`${JSON.stringify({ ready: nodes.length })}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
}

await main(process.argv.slice(2));
