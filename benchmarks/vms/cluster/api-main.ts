import { once } from 'node:events';

import { startApiServer } from '@smalt/apiserver';
import { installDefinitions } from '@smalt/bed-kubernetes';
import { KubeClient } from '@smalt/kube';
import { createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { controlPlaneIn, openVirtApiParts, plugVirtApi } from '@smalt/virt-api';
import { DEFAULT_CLUSTER_SETTINGS } from '@smalt/vm-admission';
import { readVmDefinitions } from '@smalt/vm-api';

import { openClient } from '../../node-agent/agent-world.ts';
import { joinAs, SYSTEM_NAMESPACE } from './machine-accounts.ts';

/**
 * The API server with virt-api in it, as `smalt up` has them, in a process of its own: `DIRECTORY ADDRESS`.
 * Prints `{"kubeconfig":PATH}` when it is ready, ends with its input.
 */
async function main([dataDirectory = '', host = '127.0.0.1']: readonly string[]): Promise<void> {
  const log = createLogger({ name: 'apiserver', level: 'warn', destination: process.stderr });
  const signal = new AbortController().signal;
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startApiServer({ dataDirectory, listen: { host, port: 0 }, log }, signal));
  const admin = stack.use(await openClient(server.kubeconfig));
  await installDefinitions(admin, await readVmDefinitions(), signal);
  const config = await joinAs(admin, { name: 'smalt-virt-api' }, signal);
  const client = stack.use(new KubeClient({ config, userAgent: 'smalt-virt-api/1' }));
  const controlPlane = controlPlaneIn(SYSTEM_NAMESPACE);
  // The guest that is moved has its disk where both hosts see it.
  const settings = {
    ...DEFAULT_CLUSTER_SETTINGS,
    featureGates: [...DEFAULT_CLUSTER_SETTINGS.featureGates, 'HostDisk'],
  };
  const parts = await openVirtApiParts({ client, settings, controlPlane, metrics: new MetricsRegistry() });
  stack.defer(plugVirtApi(server, parts));
  process.stdout.write(`${JSON.stringify({ kubeconfig: server.kubeconfig })}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
}

await main(process.argv.slice(2));
