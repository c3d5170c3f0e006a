import { execFile } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ChartAccounts, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import {
  ConsoleLog,
  ensureGuestImage,
  guestDomainXml,
  startHost,
  startNetwork,
  type BedHost,
} from '@smalt/bed-libvirt';
import { hypervisorKind, migrationKind, readFleetDefinitions, type Migration } from '@smalt/fleet-api';
import {
  follow,
  isExpired,
  isInitialEnd,
  KubeClient,
  loadKubeConfig,
  type KubeConfig,
  type ResourceClient,
} from '@smalt/kube';
import type { KindReference, WatchEvent } from '@smalt/kubernetes';
import { DomainMigrateFlags, migrateToUri, openSession, type Domain, type LibvirtSession } from '@smalt/libvirt';
import { startNodeAgent, type NodeAgent } from '@smalt/node-agent';
import { createLogger } from '@smalt/service-runtime';

const run = promisify(execFile);
// libvirt's own patience with its peer during a migration; its default is half a minute.
const IMPATIENT = { keepalive_interval: 1, keepalive_count: 2 };
/** Where agents and Migrations are. */
const NAMESPACE = 'default';
const RIGHTS = ['node-agent', 'node-agent-register', 'node-agent-policies'];
const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };
const definitionKind: KindReference = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  isNamespaced: false,
};

/** One of the hosts: the machine, a way in that no cut network closes and that comes back, and its agent. */
export interface FleetHost {
  readonly host: BedHost;
  readonly daemon: LibvirtSession;
  /** Starts the agent of the host, again on what the one before has kept; resolves when it sees what happens. */
  startAgent(options?: { readonly timeToLiveMs?: number }): Promise<NodeAgent>;
}

/** Two real hosts, `node-a` and `node-b`, and an API server that knows the kinds of the fleet. */
export interface MigrationBed extends AsyncDisposable {
  readonly server: TestApiServer;
  readonly migrations: ResourceClient<Migration>;
  readonly a: FleetHost;
  readonly b: FleetHost;
  /** What the agents have logged. */
  readonly log: readonly string[];
  /** Boots a guest on `node-a` that counts on its console. */
  boot(name: string): Promise<Domain>;
  /** What the real kubectl prints. */
  kubectl(...words: readonly string[]): Promise<string>;
  /** Resolves with all Migrations once they are as wanted. */
  until(isWanted: (migrations: readonly Migration[]) => boolean, timeoutMs?: number): Promise<readonly Migration[]>;
}

/** Has a host move a guest to another. `bandwidth` is in MiB a second. */
export async function move(
  from: FleetHost,
  to: FleetHost,
  domain: Domain,
  options: { readonly bandwidth?: bigint; readonly flags?: number } = {},
): Promise<void> {
  const { bandwidth, flags = 0 } = options;
  await migrateToUri(from.daemon, {
    domain,
    destinationUri: to.host.uri,
    flags: DomainMigrateFlags.live | flags,
    ...(bandwidth !== undefined && { parameters: { bandwidth } }),
  });
}

export async function startMigrationBed(): Promise<MigrationBed> {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startTestApiServer({ isCluster: true, signal: AbortSignal.timeout(110_000) }));
  const kubeConfig = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  const client = stack.use(new KubeClient({ config: kubeConfig, userAgent: 'migration-bed/1' }));
  const accounts = await openFleet(client, server);
  const network = stack.use(await startNetwork());
  const log: string[] = [];
  const open = async (name: string): Promise<FleetHost> => {
    const host = stack.use(await startHost({ network, qemu: IMPATIENT }));
    const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-agent-')));
    const uri = `qemu+unix:///system?socket=${host.socketPath}`;
    const daemon = stack.use(openSession(uri));
    await daemon.connected();
    const agent = { kubeConfig: await accounts(name), name, uri, log, stateDirectory: directory.path };
    return { host, daemon, startAgent: (options) => startAgent(agent, options) };
  };
  const a = await open('node-a');
  const b = await open('node-b');
  const image = await ensureGuestImage();
  const migrations = client.resource(migrationKind);
  const owned = stack.move();
  return {
    server,
    migrations,
    a,
    b,
    log,
    boot: async (name) => {
      const console = new ConsoleLog(join(network.storagePath, `${name}.log`));
      const xml = guestDomainXml({ name, image, words: ['tick'], console: { file: console.path } });
      const domain = await a.daemon.domainCreateXml({ xml });
      await console.waitFor(/tick 1\b/);
      return domain;
    },
    kubectl: async (...words) => (await run('kubectl', [`--kubeconfig=${server.kubeconfig}`, ...words])).stdout,
    until: (isWanted, timeoutMs = 30_000) => until({ migrations, isWanted, timeoutMs, log }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Teaches the server our kinds and gives agents the rights of the chart; how the agent of a node reaches the API. */
async function openFleet(
  admin: KubeClient,
  { kubeconfig }: TestApiServer,
): Promise<(nodeName: string) => Promise<KubeConfig>> {
  await installFleet(admin);
  const accounts = new ChartAccounts({ admin, kubeconfig, namespace: NAMESPACE });
  await accounts.install({ files: RIGHTS }, AbortSignal.timeout(60_000));
  return async (nodeName) => {
    // The token of an agent is bound to its Node.
    await admin.resource(nodeKind).create({ metadata: { name: nodeName } });
    return await accounts.config({ name: 'smalt-node-agent', nodeName });
  };
}

interface AgentSeat {
  readonly kubeConfig: KubeConfig;
  readonly name: string;
  readonly uri: string;
  readonly log: string[];
  readonly stateDirectory: string;
}

async function startAgent(
  { kubeConfig, name, uri, log, stateDirectory }: AgentSeat,
  { timeToLiveMs }: { readonly timeToLiveMs?: number } = {},
): Promise<NodeAgent> {
  const { promise: watching, resolve } = Promise.withResolvers<void>();
  const write = (line: string): void => {
    log.push(`${name} ${line}`);
    if (line.includes('watching for migrations')) resolve();
  };
  const options = {
    nodeName: name,
    kubeConfig,
    libvirt: { kind: 'host', uri },
    stateDirectory,
    logger: createLogger({ name, level: 'info', destination: { write } }),
    register: true,
    busPath: '/nowhere/bus',
    // An agent that is started again soon after must not wait for the Lease of the one before.
    lease: { leaseMs: 3000, renewDeadlineMs: 2000, retryMs: 500 },
    ...(timeToLiveMs !== undefined && { migrations: { timeToLiveMs } }),
  } as const;
  const agent = await startNodeAgent(options, new AbortController().signal);
  await watching;
  return agent;
}

async function installFleet(client: KubeClient): Promise<void> {
  const definitions = client.resource(definitionKind);
  for (const definition of await readFleetDefinitions()) {
    await definitions.apply(String(Object(definition['metadata']).name), definition, { force: true });
  }
  for (const kind of [migrationKind, hypervisorKind]) await untilServed(client, kind);
}

async function untilServed(client: KubeClient, kind: KindReference): Promise<void> {
  // A kind is served a moment after its definition was taken.
  for (let tries = 0; tries < 200; tries++) {
    const isServed = await client
      .resource(kind)
      .list()
      .then(
        () => true,
        () => false,
      );
    if (isServed) return;
  }
  throw new Error(`the API server does not serve ${kind.plural}`);
}

interface Wish {
  readonly migrations: ResourceClient<Migration>;
  readonly isWanted: (migrations: readonly Migration[]) => boolean;
  readonly timeoutMs: number;
  readonly log: readonly string[];
}

async function until({ migrations, isWanted, timeoutMs, log }: Wish): Promise<readonly Migration[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const known = new Map<string, Migration>();
  while (!signal.aborted) {
    try {
      const told = await firstOf(knownMigrations(migrations, known, signal), isWanted);
      if (told !== undefined) return told;
    } catch (error) {
      // A server that was started anew may have forgotten what was before.
      if (!signal.aborted && !isExpired(error)) throw error;
    }
  }
  const seen = JSON.stringify([...known.values()].map(({ metadata, status }) => [metadata.name, status]));
  throw new Error(`the migrations did not become as wanted: ${seen}\n${log.slice(-40).join('')}`);
}

async function firstOf<T>(values: AsyncIterable<T>, isWanted: (value: T) => boolean): Promise<T | undefined> {
  for await (const value of values) if (isWanted(value)) return value;
  return undefined;
}

/** All Migrations, once they are known and whenever one has changed. */
async function* knownMigrations(
  migrations: ResourceClient<Migration>,
  known: Map<string, Migration>,
  signal: AbortSignal,
): AsyncGenerator<readonly Migration[], void> {
  known.clear();
  let isComplete = false;
  for await (const events of follow(migrations, { signal })) {
    for (const event of events) takeIn(known, event);
    isComplete ||= events.some(isInitialEnd);
    if (isComplete) yield [...known.values()];
  }
}

function takeIn(known: Map<string, Migration>, event: WatchEvent<Migration>): void {
  if (event.type === 'ADDED' || event.type === 'MODIFIED') known.set(event.object.metadata.name, event.object);
  if (event.type === 'DELETED') known.delete(event.object.metadata.name);
}
