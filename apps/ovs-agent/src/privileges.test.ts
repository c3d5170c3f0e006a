import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { freePorts } from '@smalt/bed-kubernetes';
import { startOvsNode, type OvsNode } from '@smalt/bed-ovs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { startAgentBed, type AgentBed } from './fixtures/agent-bed.ts';
import { joinNetworks } from './fixtures/joined-network.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const NODE = join(ROOT, 'node_modules/.bin/node');
const MAIN = join(ROOT, 'apps/smalt/src/main.ts');
const TIMEOUT_MS = 60_000;
const SERVICE_UNAVAILABLE = 503;

const owned = new AsyncDisposableStack();
let agents: AgentBed;
let node: OvsNode;
let directory: string;
let port: number;
/** What the DaemonSet gives. */
let given: readonly string[];

beforeAll(async () => {
  agents = owned.use(await startAgentBed());
  node = owned.use(await startOvsNode({ datapath: 'netdev', name: 'n1' }));
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-caps-'))).path;
  port = (await freePorts(1))[0] ?? 0;
  const { pid } = node.requireNetwork('the agent');
  owned.use(await joinNetworks({ pid, directory, port: Number(new URL(agents.server.url).port), direction: 'in' }));
  owned.use(await joinNetworks({ pid, directory, port, direction: 'out' }));
  await node.vsctl('add-br', 'br-int', '--', 'set', 'bridge', 'br-int', 'datapath_type=netdev');
  await node.plugGuest({ device: 'tap1', address: '192.168.7.1/24' });
  given = await capabilitiesOfDaemonSet();
}, TIMEOUT_MS);

afterAll(() => owned.disposeAsync());

describe('the DaemonSet', () => {
  it('is not privileged, and has no more capabilities than are named here', async () => {
    const { spec, container } = await daemonSet();

    expect(given).toEqual(['NET_ADMIN', 'NET_RAW', 'SETGID']);
    expect(container.securityContext).toMatchObject({
      privileged: false,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect([spec['hostPID'], spec['hostIPC'], spec['hostNetwork']]).toEqual([undefined, undefined, true]);
    const written = container.volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ name }) => name);
    expect([...new Set(written)]).toEqual(['state', 'lock', 'ovs-run', 'ovn-run']);
  });

  it('is enough to observe, to trace, and to capture devices and bridges', { timeout: TIMEOUT_MS }, async () => {
    await using agent = await startAgent(given);

    const seen = await agents.until('n1', ({ status }) => status?.bridges?.[0]?.status === 'Active');
    const traced = await agent.call('/v1/trace', { bridge: 'br-int', packet: { inPort: 'tap1' } });
    const device = await agent.call('/v1/captures', { port: 'tap1', seconds: 1 });
    const mirror = await agent.call('/v1/captures', { bridge: 'br-int', seconds: 1 });

    expect(seen.status?.ovsVersion).toMatch(/^\d/);
    expect([traced.status, device.status, mirror.status]).toEqual([200, 200, 200]);
  });

  it('needs none of its capabilities to observe and to trace', { timeout: TIMEOUT_MS }, async () => {
    await using agent = await startAgent([]);

    const traced = await agent.call('/v1/trace', { bridge: 'br-int', packet: { inPort: 'tap1' } });

    expect([traced.status, traced.text]).toEqual([200, expect.stringContaining('Datapath actions')]);
  });

  it.each([
    ['NET_RAW', { port: 'tap1' }, /tcpdump cannot listen on tap1: .*permission|not permitted/],
    ['NET_ADMIN', { bridge: 'br-int' }, /cannot be taken up .*the capability NET_ADMIN/],
    ['SETGID', { port: 'tap1' }, /tcpdump cannot listen on tap1: .*Couldn't change to/],
  ])('captures nothing more without %s, and says why', { timeout: TIMEOUT_MS }, async (missing, target, words) => {
    await using agent = await startAgent(given.filter((name) => name !== missing));

    const answer = await agent.call('/v1/captures', { ...target, seconds: 1 });

    expect([answer.status, answer.text]).toEqual([503, expect.stringMatching(words)]);
    expect(await node.vsctl('list', 'mirror')).toBe('');
  });
});

describe('a file system that is read-only but for its own folder and the sockets', () => {
  it('is enough to find the daemons of the host, to trace and to capture', { timeout: TIMEOUT_MS }, async () => {
    await using agent = await startAgent(given, { isReadOnly: true });

    const traced = await agent.call('/v1/trace', { bridge: 'br-int', packet: { inPort: 'tap1' } });
    const shown = await agent.call('/v1/diagnostics', undefined);
    const captured = await agent.call('/v1/captures', { bridge: 'br-int', seconds: 1 });

    expect([shown.status, traced.status, captured.status]).toEqual([200, 200, 200]);
    expect(JSON.parse(shown.text)).toMatchObject({
      database: { state: 'connected' },
      daemons: { 'ovs-vswitchd': { state: 'answering', processId: node.pids['ovs-vswitchd'] } },
    });
  });
});

describe('an agent that is killed during a capture', () => {
  it('leaves a mirror, which the next one removes', { timeout: TIMEOUT_MS }, async () => {
    const first = await startAgent(given);
    const response = await onceReady(() =>
      first.open('/v1/captures', { bridge: 'br-int', seconds: 60, filter: 'udp port 9' }),
    );
    response.on('error', () => undefined);
    const before = await node.vsctl('--bare', '--columns=name', 'list', 'mirror');
    await first.kill();
    const between = await node.vsctl('--bare', '--columns=name', 'list', 'mirror');

    await using _second = await startAgent(given);

    expect([response.statusCode, before.trim()]).toEqual([200, expect.stringMatching(/^smalt-[0-9a-f]{8}$/)]);
    expect(between).toBe(before);
    await expect.poll(() => node.vsctl('list', 'mirror'), { timeout: 10_000 }).toBe('');
    expect((await node.vsctl('list-ports', 'br-int')).trim()).toBe('tap1');
  });
});

interface BedAgent extends AsyncDisposable {
  open(path: string, body: unknown): Promise<IncomingMessage>;
  call(path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }>;
  kill(): Promise<void>;
}

/**
 * Mounts what the DaemonSet mounts below a folder, makes all else read-only, and goes on as the agent. It begins in a
 * name space of its own, so nothing of it is seen elsewhere.
 */
const READ_ONLY = `
  set -e
  folder=$1 run=$2
  shift 2
  mkdir -p "$folder/state" "$folder/host/var/run/openvswitch" "$folder/host/proc" "$folder/host/sys"
  mount -t tmpfs -o size=1m,mode=700 none "$folder/state"
  mount --bind "$run" "$folder/host/var/run/openvswitch"
  mount --rbind /proc "$folder/host/proc"
  mount --rbind /sys "$folder/host/sys"
  cut -d ' ' -f 5 /proc/self/mountinfo | tac | while read -r place; do
    case $place in
      "$folder/state" | "$folder/host/var/run/openvswitch" | /dev*) ;;
      *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;;
    esac
  done
  if touch "$folder/host/probe" 2>/dev/null; then echo "$folder can still be written" >&2; exit 1; fi
  exec "$@"
`;

/** Starts the agent as root with these capabilities and no way to get others, in the network of the node. */
async function startAgent(
  capabilities: readonly string[],
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): Promise<BedAgent> {
  const bounding = ['-all', ...capabilities.map((name) => `+${name.toLowerCase()}`)].join(',');
  const place = ['--target', String(node.requireNetwork('the agent').pid), '--net'];
  const folder = join(directory, isReadOnly ? 'read-only' : `state-${capabilities.join('-')}`);
  const mounted = ['unshare', '--mount', 'bash', '-c', READ_ONLY, 'mounted', folder, node.runDirectory];
  const limits = ['setpriv', `--bounding-set=${bounding}`, '--inh-caps=-all', '--no-new-privs'];
  const flags = {
    '--node': 'n1',
    '--kubeconfig': agents.server.kubeconfig,
    '--listen': '',
    '--troubleshoot-listen': `127.0.0.1:${port}`,
    ...(isReadOnly
      ? { '--root': join(folder, 'host'), '--state': join(folder, 'state') }
      : { '--run-directories': node.runDirectory, '--state': folder }),
  };
  const words = [
    ...place,
    ...(isReadOnly ? mounted : []),
    ...limits,
    NODE,
    MAIN,
    'ovs-agent',
    ...Object.entries(flags).flat(),
  ];
  const agent = spawn('nsenter', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  await started(agent);
  // As it sees its own folder, which nobody else may.
  const own = join('/proc', String(agent.pid), 'root', flags['--state']);
  const authority = await readFile(join(own, 'troubleshooting.crt'), 'utf8');
  const open = async (path: string, body: unknown): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${agents.server.token}` };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ method, host: '127.0.0.1', port, path, ca: authority, agent: false, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const answered = Promise.withResolvers<IncomingMessage>();
    sent.once('response', answered.resolve).once('error', answered.reject);
    return await answered.promise;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = agent.exitCode === null && agent.signalCode === null ? once(agent, 'exit') : undefined;
    agent.kill(signal);
    await ended;
  };
  return {
    open,
    call: async (path, body) => {
      const response = await open(path, body);
      return { status: response.statusCode ?? 0, text: Buffer.concat(await response.toArray()).toString('latin1') };
    },
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}

/** Asks until the agent has found out all that it needs for an answer. */
async function onceReady(ask: () => Promise<IncomingMessage>): Promise<IncomingMessage> {
  return await vi.waitFor(
    async () => {
      const response = await ask();
      if (response.statusCode === SERVICE_UNAVAILABLE) throw new Error('it is not ready yet');
      return response;
    },
    { timeout: 15_000 },
  );
}

/** Resolves when the agent has started and knows its switch; rejects with its words if it ends before. */
async function started(agent: ChildProcess): Promise<void> {
  let text = '';
  const { promise, resolve: done, reject } = Promise.withResolvers<void>();
  agent.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.includes('the OVS agent has started')) done();
  });
  agent.once('exit', () => reject(new Error(`the agent ended: ${text}`)));
  await promise;
}

interface DaemonSetContainer {
  readonly securityContext: { readonly capabilities: { readonly add: readonly string[] } };
  readonly volumeMounts: readonly { readonly name: string; readonly readOnly?: boolean }[];
}

async function daemonSet(): Promise<{
  readonly spec: Readonly<Record<string, unknown>>;
  readonly container: DaemonSetContainer;
}> {
  const documents = parseAllDocuments(await readFile(join(ROOT, 'deploy/ovs-agent.yaml'), 'utf8'));
  const file: unknown = documents.find((document) => document.get('kind') === 'DaemonSet')?.toJS();
  const { spec } = Object(file).spec.template;
  return { spec, container: spec.containers[0] };
}

async function capabilitiesOfDaemonSet(): Promise<readonly string[]> {
  return (await daemonSet()).container.securityContext.capabilities.add;
}
