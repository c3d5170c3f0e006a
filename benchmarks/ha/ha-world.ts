import { randomUUID } from 'node:crypto';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import {
  freePorts,
  installDefinitions,
  ServerProcess,
  startSmaltApiServer,
  type SmaltProgram,
} from '@smalt/bed-kubernetes';
import { SimulatorProcess } from '@smalt/bed-openstack-simulator';
import { makeAuthority, type TestAuthority } from '@smalt/bed-redfish';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';

import { readMetricSum } from '../operator/read-metric-sum.ts';
import { PeerProcess } from '../src/peer-process.ts';
import { tokenOf, tokensFileOf } from './bench-agent.ts';
import type { HostVoice } from './rescue-agents.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const PROGRAMS: Readonly<Record<SmaltProgram, string>> = {
  sources: join(REPOSITORY, 'apps/smalt/src/main.ts'),
  bundle: join(REPOSITORY, '.cache/bundle/smalt.mjs'),
};
const START_TIMEOUT_MS = 120_000;

export interface HaWorldOptions {
  readonly program: SmaltProgram;
  /** Those whose agents are known. */
  readonly hosts: readonly string[];
  /** Where PostgreSQL is; a file of SQLite otherwise. */
  readonly postgresUrl?: string | undefined;
  /** Changes of the configuration. */
  readonly settings?: (() => Readonly<Record<string, unknown>>) | undefined;
  /** What is done before the service starts. */
  readonly prepare?: ((client: KubeClient, cloud: SimulatorProcess) => Promise<void>) | undefined;
}

/** The service between an API server and a simulated cloud; each is a process of its own. */
export interface HaWorld extends AsyncDisposable {
  readonly client: KubeClient;
  readonly cloud: SimulatorProcess;
  readonly servicePid: number;
  readonly port: number;
  /** How a host speaks to the service. */
  voiceOf(host: string): HostVoice;
  /** What it counts under a name, summed up. */
  metric(name: string): Promise<number>;
  /** Agents in a process of their own, on the processor that the service does not use. */
  startLoad(signal: AbortSignal): Promise<PeerProcess>;
}

/** Starts all of it and resolves when the service leads. */
export async function startHaWorld(options: HaWorldOptions, signal: AbortSignal): Promise<HaWorld> {
  await using owner = new AsyncDisposableStack();
  const { path: folder } = owner.use(await mkdtempDisposable(join(tmpdir(), 'smalt-ha-bench-')));
  const api = owner.use(await startSmaltApiServer({ program: options.program, signal }));
  const config = await loadKubeConfig({ path: api.kubeconfig, environment: {} });
  const client = owner.use(new KubeClient({ config, userAgent: 'smalt-benchmark/1' }));
  await installDefinitions(client, await readFleetDefinitions(), signal);
  const cloud = owner.use(await SimulatorProcess.start({}));
  await options.prepare?.(client, cloud);
  const authority = owner.use(await makeAuthority());
  const [port = 0, metricsPort = 0] = await freePorts(2);
  const secret = randomUUID();
  await writeConfig(folder, options, { authority, port, metricsPort, secret, kubeconfig: api.kubeconfig });
  const variables = Object.entries(cloud.environment).map(([name, value]) => `${name}=${value}`);
  const words = [PROGRAMS[options.program], 'ha-service', '--config', join(folder, 'config.yaml')];
  const command = [...pinned(0), 'env', ...variables, process.execPath, ...words];
  const service = owner.use(ServerProcess.start('smalt ha-service', command, join(folder, 'service.log')));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  await service.whenReady(async () => (await readMetricSum(metricsPort, 'smalt_ha_leader')) === 1, deadline);
  const ca = await readFile(authority.authorityFile, 'utf8');
  const owned = owner.move();
  return {
    client,
    cloud,
    port,
    servicePid: service.pid,
    voiceOf: (host) => ({ host, port, client, authority: ca, token: tokenOf(secret, host) }),
    metric: async (name) => (await readMetricSum(metricsPort, name)) ?? 0,
    startLoad: (until) => startLoad([String(port), secret, ca], until),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface WorldFacts {
  readonly authority: TestAuthority;
  readonly port: number;
  readonly metricsPort: number;
  readonly secret: string;
  readonly kubeconfig: string;
}

async function writeConfig(folder: string, options: HaWorldOptions, facts: WorldFacts): Promise<void> {
  const file = (name: string): string => join(folder, name);
  const { authority, port, metricsPort, secret, kubeconfig } = facts;
  await writeFile(file('tokens.yaml'), tokensFileOf(secret, options.hosts));
  await writeFile(file('tls.crt'), authority.certificate);
  await writeFile(file('tls.key'), authority.key);
  await writeFile(file('url'), options.postgresUrl ?? '');
  const store =
    options.postgresUrl === undefined
      ? { kind: 'sqlite', path: file('ha.sqlite') }
      : { kind: 'postgres', urlFile: file('url') };
  const config = {
    listen: `127.0.0.1:${port}`,
    observabilityListen: `127.0.0.1:${metricsPort}`,
    tls: { certificateFile: file('tls.crt'), keyFile: file('tls.key') },
    kubernetes: { kubeconfig, leaseNamespace: 'default' },
    store,
    compute: { allowsInsecure: true },
    // A flood is more than one agent ever sends.
    sources: { push: { tokensFile: file('tokens.yaml'), requestsPerSecond: 1_000 } },
    fencing: { levels: [{ name: 'person', driver: 'person' }] },
    ...options.settings?.(),
  };
  await writeFile(file('config.yaml'), JSON.stringify(config));
}

async function startLoad(words: readonly string[], signal: AbortSignal): Promise<PeerProcess> {
  const program = join(import.meta.dirname, 'load-main.ts');
  const load = new PeerProcess('agents', [...pinned(1), process.execPath, program, ...words]);
  try {
    await load.answer(signal);
    return load;
  } catch (error) {
    await load[Symbol.asyncDispose]();
    throw error;
  }
}

/** Keeps a process on one processor, so that what is measured is one of them. */
function pinned(processor: number): readonly string[] {
  return ['taskset', '--cpu-list', String(processor)];
}
