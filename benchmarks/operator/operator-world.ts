import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  freePorts,
  installDefinitions,
  ServerProcess,
  startSmaltApiServer,
  type SmaltProgram,
} from '@smalt/bed-kubernetes';
import { SimulatorProcess } from '@smalt/bed-openstack-simulator';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { isJsonObject } from '@smalt/json';
import { KubeClient, loadKubeConfig } from '@smalt/kube';

import { CERTIFICATE_DEFINITION } from './certificate-definition.ts';
import { FleetWatch } from './fleet-watch.ts';
import type { OperatorSource } from './operator-sources.ts';
import { readMetricSum } from './read-metric-sum.ts';

const START_TIMEOUT_MS = 120_000;

export interface WorldOptions {
  readonly source: OperatorSource;
  /** What the API server runs from. */
  readonly program: SmaltProgram;
  readonly latencyMs: number;
  readonly moveLimit?: number | undefined;
  /** What is done before the operator starts. */
  readonly prepare?: ((client: KubeClient) => Promise<void>) | undefined;
}

/** One operator between an API server and a simulated cloud, both empty; each is a process of its own. */
export interface OperatorWorld extends AsyncDisposable {
  readonly client: KubeClient;
  readonly cloud: SimulatorProcess;
  readonly watch: FleetWatch;
  readonly operatorPid: number;
  readonly apiServerPid: number;
  readonly cloudPid: number;
  /** All requests of the operator to the API server so far. */
  apiCalls(): Promise<number>;
  /** All requests to the cloud since they were last forgotten. */
  cloudCalls(): Promise<number>;
}

/** Starts all of it and resolves when the operator is ready. */
export async function startOperatorWorld(options: WorldOptions, signal: AbortSignal): Promise<OperatorWorld> {
  const { source, program, latencyMs, moveLimit } = options;
  await using owner = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'smalt-operators-'));
  owner.defer(() => rm(folder, { recursive: true, force: true }));
  const api = owner.use(await startSmaltApiServer({ program, signal }));
  const config = await loadKubeConfig({ path: api.kubeconfig, environment: {} });
  const client = owner.use(new KubeClient({ config, userAgent: 'smalt-benchmark/1' }));
  await installDefinitions(client, await definitionsFor(source), signal);
  await options.prepare?.(client);
  const cloud = owner.use(await SimulatorProcess.start({ latencyMs }));
  const watch = owner.use(new FleetWatch(client));
  const [metricsPort = 0] = await freePorts(1);
  const { environment } = cloud;
  const command = source.command({ kubeconfig: api.kubeconfig, environment, metricsPort, moveLimit });
  const operator = owner.use(ServerProcess.start(source.name, command, join(folder, 'operator.log')));
  const metrics = (): Promise<number | undefined> => readMetricSum(metricsPort, 'rest_client_requests_total');
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  await operator.whenReady(async () => (await metrics()) !== undefined, deadline);
  const owned = owner.move();
  return {
    client,
    cloud,
    watch,
    operatorPid: operator.pid,
    apiServerPid: api.process.pid,
    cloudPid: cloud.pid,
    apiCalls: async () => (await metrics()) ?? 0,
    cloudCalls: () => sumOfCalls(cloud),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

// The peer does not start where cert-manager is not installed; ours leaves certificates out then.
async function definitionsFor({ name }: OperatorSource): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const ours = await readFleetDefinitions();
  return name === 'go' ? [...ours, CERTIFICATE_DEFINITION] : ours;
}

async function sumOfCalls(cloud: SimulatorProcess): Promise<number> {
  const counts = await cloud.tell('GET', '/calls');
  const values = isJsonObject(counts) ? Object.values(counts) : [];
  return values.reduce<number>((sum, value) => sum + Number(value), 0);
}
