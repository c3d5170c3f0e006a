import { ControllerManager, done, source } from '@smalt/controller-runtime';
import { KubeClient } from '@smalt/kube';
import { createLogger, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';

import { GROUP } from './machine-kind.ts';

// A controller that looks at each of its objects once: `controller-main.ts URL TOKEN AUTHORITY OBJECTS`, with --expose-gc.
const [url = '', token = '', authority = '', count = ''] = process.argv.slice(2);
const TIMEOUT_MS = 120_000;
const MACHINES = { group: GROUP, version: 'v1', kind: 'Machine', plural: 'machines', isNamespaced: true };

try {
  process.stdout.write(`${JSON.stringify(await measure(Number(count)))}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
  process.exitCode = 1;
}

async function measure(objects: number): Promise<object> {
  await using client = new KubeClient({ config: kubeConfig(), userAgent: 'bench/1' });
  const logger = createLogger({ name: 'bench', level: 'warn', destination: process.stderr });
  const metrics = new MetricsRegistry();
  const manager = new ControllerManager({ client, logger, metrics, health: new HealthRegistry() });
  const informer = manager.informers.for(MACHINES);
  const seen = new Set<string>();
  const reconciled = Promise.withResolvers<void>();
  const reconcile = async (key: string): Promise<typeof done> => {
    if (seen.add(key).size === objects) reconciled.resolve();
    return done;
  };
  manager.add({ name: 'bench', sources: [source(informer)], reconcile, concurrency: 4 });
  const before = heldBytes();
  const startedAt = performance.now();
  const stopping = new AbortController();
  const running = manager.run(stopping.signal);
  await informer.whenSynced(AbortSignal.timeout(TIMEOUT_MS));
  const syncMs = performance.now() - startedAt;
  await reconciled.promise;
  const reconciledMs = performance.now() - startedAt;
  seen.clear();
  const bytesPerObject = (heldBytes() - before) / objects;
  stopping.abort();
  await running;
  return { syncMs, reconciledMs, bytesPerObject };
}

function heldBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function kubeConfig(): KubeClient['config'] {
  return {
    server: url,
    tls: { authority: { kind: 'text', text: authority }, isInsecure: false },
    identity: { kind: 'token', token: { kind: 'text', text: token } },
    namespace: 'default',
  };
}
