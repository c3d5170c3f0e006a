import {
  findCurrentEtcd,
  findKubernetes,
  installDefinitions,
  startKubernetes,
  startSmaltApiServer,
  type SmaltProgram,
  type TestApiServer,
} from '@smalt/bed-kubernetes';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { isAlreadyExists, type KubeClient } from '@smalt/kube';
import { readVmDefinitions } from '@smalt/vm-api';

import { openClient } from '../../node-agent/agent-world.ts';
import { BenchmarkError } from '../../src/benchmark-error.ts';
import { SYSTEM_NAMESPACE } from '../../vms/cluster/machine-accounts.ts';
import type { ProcessGroup } from '../measure/process-costs.ts';
import { readServerMetrics, type ServerCounters } from '../measure/read-server-metrics.ts';
import type { ServerName } from '../server-name.ts';

/** An API server that knows all kinds, and has no objects yet. */
export interface FleetServer extends AsyncDisposable {
  /** How everybody reaches it, in a file. */
  readonly kubeconfig: string;
  /** That of the benchmark itself. */
  readonly client: KubeClient;
  readonly groups: readonly ProcessGroup[];
  counters(signal: AbortSignal): Promise<ServerCounters>;
}

export interface FleetServerOptions {
  readonly name: ServerName;
  readonly program: SmaltProgram;
  readonly signal: AbortSignal;
}

/** Starts one, without virt-api: what it would fill in, the objects of the benchmark have. */
export async function startFleetServer({ name, program, signal }: FleetServerOptions): Promise<FleetServer> {
  await using owner = new AsyncDisposableStack();
  const server = owner.use(await start(name, program, signal));
  const { kubeconfig } = server;
  const client = owner.use(await openClient(kubeconfig));
  await installDefinitions(client, [...(await readFleetDefinitions()), ...(await readVmDefinitions())], signal);
  await makeNamespace(client, signal);
  const groups = server.processes.map(({ name: own, pid }) => ({ part: 'server', name: own, pids: [pid] }) as const);
  const counters = async (until: AbortSignal): Promise<ServerCounters> =>
    readServerMetrics(await client.text({ method: 'GET', path: '/metrics', signal: until }));
  const owned = owner.move();
  return { kubeconfig, client, groups, counters, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function start(name: ServerName, program: SmaltProgram, signal: AbortSignal): Promise<TestApiServer> {
  if (name === 'smalt') return await startSmaltApiServer({ program, signal });
  const programs = findKubernetes();
  if (programs === undefined)
    throw new BenchmarkError('build-failed', 'npm run bed:kubernetes -- --build builds kube-apiserver');
  const etcd = findCurrentEtcd() ?? programs.etcd;
  // All of its controllers: without them no node would ever count as ready.
  return await startKubernetes({ ...programs, etcd }, signal, { controllers: true });
}

async function makeNamespace(client: KubeClient, signal: AbortSignal): Promise<void> {
  const body = JSON.stringify({ metadata: { name: SYSTEM_NAMESPACE } });
  try {
    await client.request({ method: 'POST', path: '/api/v1/namespaces', body, signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
