import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig, type ResourceClient } from '@smalt/kube';
import { microTime } from '@smalt/kubernetes';
import { createLogger, untilAborted } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { systemClock } from '../clock.ts';
import { leaseKind, type Lease } from '../lease.ts';
import { ownIdentity, parseIdentity, printIdentity, type AgentIdentity } from './agent-identity.ts';
import { NodeClaim, type NodeClaimOptions, type Obstacle } from './node-claim.ts';

const SCRIPT = join(import.meta.dirname, '../fixtures/hold-node.ts');
/** Far less than a Lease lasts: what comes by then does not come because one is over. */
const SOON_MS = 15_000;
const isRoot = process.getuid?.() === 0;
const IN_A_CONTAINER = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];

const stack = new AsyncDisposableStack();
let server: TestApiServer;
let leases: ResourceClient<Lease>;
let directory: string;

beforeAll(async () => {
  server = stack.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  leases = stack.use(new KubeClient({ config, userAgent: 'node-claim-test/1' })).resource(leaseKind);
  directory = await mkdtemp(join(tmpdir(), 'smalt-claim-'));
  stack.defer(() => rm(directory, { recursive: true }));
});

afterAll(() => stack.disposeAsync());

it('holds a Lease for five minutes under the lock, in whose name it is', async () => {
  await using agent = await start('calm');
  await agent.acts();

  const { spec } = await leases.get('calm');

  expect(spec).toMatchObject({ leaseDurationSeconds: 300, leaseTransitions: 0 });
  expect(parseIdentity(spec.holderIdentity ?? '')?.lock).toBe(await idOfLock('calm'));
});

it.each([
  { what: 'a process', node: 'killed', words: [] },
  ...(isRoot ? [{ what: 'a container, with its own process numbers', node: 'contained', words: IN_A_CONTAINER }] : []),
])('takes the Lease of $what that was killed at once', { timeout: 40_000 }, async ({ node, words }) => {
  await using first = startProcess(node, words);
  await first.says('acts');
  const { holderIdentity: before = '' } = (await leases.get(node)).spec;
  await first.kill();

  await using second = await start(node);
  await second.acts();

  const { spec } = await leases.get(node);
  expect(spec).toMatchObject({ holderIdentity: second.identity(), leaseTransitions: 1 });
  expect(parseIdentity(before)?.lock).toBe(parseIdentity(second.identity())?.lock);
  expect(second.obstacles.at(-1)).toBeUndefined();
});

it('waits for an agent of its node without asking the API, says who that is, and follows it at once when it is killed', async () => {
  await using first = startProcess('followed');
  await first.says('acts');
  await using second = await start('followed');

  const told = await second.meets('rival');
  const { resourceVersion, spec } = await leaseOf('followed');
  const asked = [...second.requests];
  await first.kill();
  await second.acts();

  expect(told).toEqual({ kind: 'rival', identity: spec.holderIdentity });
  expect(asked).toEqual([]);
  expect((await leaseOf('followed')).resourceVersion).not.toBe(resourceVersion);
  expect(second.obstacles.at(-1)).toBeUndefined();
}, 40_000);

it('gives the Lease up before the lock, so that the next one finds nobody in it', async () => {
  const first = await start('orderly');
  await first.acts();
  await using second = await start('orderly');
  await second.meets('rival');

  await first[Symbol.asyncDispose]();
  await second.acts();

  expect(second.found[0]).toBe('');
  expect((await leases.get('orderly')).spec.holderIdentity).toBe(second.identity());
});

it('takes the Lease of an earlier boot of this machine at once', async () => {
  const former = await start('rebooted');
  await former.acts();
  await former[Symbol.asyncDispose]();
  const lock = await idOfLock('rebooted');
  await hold('rebooted', printIdentity({ ...stranger, lock }), 300);

  await using agent = await start('rebooted');
  await agent.acts();

  expect((await leases.get('rebooted')).spec.holderIdentity).toBe(agent.identity());
});

it.each([
  { what: 'without a lock, as before there were any', node: 'old', lock: undefined },
  { what: 'with the lock of another machine', node: 'other', lock: '0123456789abcdef' },
])('respects an agent $what, until its Lease is over', { timeout: 40_000 }, async ({ node, lock }) => {
  await create(node, printIdentity({ ...stranger, lock }), 3);
  const startedAt = performance.now();

  await using agent = await start(node, { times: { leaseMs: 300_000, renewDeadlineMs: 240_000, retryMs: 200 } });
  await agent.acts();

  expect(performance.now() - startedAt).toBeGreaterThan(3_000);
  expect(agent.found[0]).toContain('elsewhere pid 7');
});

it(
  'leaves the node to a copy of its machine that takes the Lease with its very lock',
  { timeout: 40_000 },
  async () => {
    const times = { leaseMs: 300_000, renewDeadlineMs: 240_000, retryMs: 200 };
    await using agent = await start('copied', { times });
    await agent.acts();
    const copy = printIdentity({ ...stranger, lock: await idOfLock('copied') });

    await hold('copied', copy, 300);
    const told = await agent.meets('rival');

    expect(told).toEqual({ kind: 'rival', identity: copy });
    expect((await leases.get('copied')).spec.holderIdentity).toBe(copy);
  },
);

it('does by the Lease alone where nothing can be locked, with short times, and says so', async () => {
  await mkdir(pathOfLock('unlocked'), { recursive: true });
  const failures: unknown[] = [];

  await using agent = await start('unlocked', { onUnlocked: (error) => failures.push(error) });
  await agent.acts();

  const { spec } = await leases.get('unlocked');
  expect(spec.leaseDurationSeconds).toBe(40);
  expect(parseIdentity(spec.holderIdentity ?? '')?.lock).toBeUndefined();
  expect(failures).toMatchObject([{ code: 'EISDIR' }]);
});

it('ends where an agent cannot do without a lock, and none can be had', async () => {
  await mkdir(pathOfLock('needed'), { recursive: true });

  await using agent = await start('needed', { onUnlocked: refuseToGoOn });

  await expect(agent.ended).rejects.toThrow('not without');
});

function refuseToGoOn(cause: unknown): never {
  throw new Error('not without', { cause });
}

/** Of another machine, or of another boot. */
const stranger: AgentIdentity = {
  host: 'elsewhere',
  pid: 7,
  startedAt: '2026-01-01T00:00:00Z',
  scope: 'boot/1',
  ticks: '1',
  nonce: 'a1',
};

function pathOfLock(node: string): string {
  return join(directory, node, 'agent.lock');
}

async function idOfLock(node: string): Promise<string | undefined> {
  return (await readFile(pathOfLock(node), 'utf8')).split('\n')[0];
}

async function leaseOf(node: string): Promise<{ readonly resourceVersion: string; readonly spec: Lease['spec'] }> {
  const { metadata, spec } = await leases.get(node);
  return { resourceVersion: metadata.resourceVersion ?? '', spec };
}

async function create(name: string, holderIdentity: string, leaseDurationSeconds: number): Promise<void> {
  const spec = { holderIdentity, leaseDurationSeconds, renewTime: microTime(Date.now()) };
  await leases.create({ metadata: { name, namespace: 'default' }, spec });
}

async function hold(name: string, holderIdentity: string, leaseDurationSeconds: number): Promise<void> {
  const spec = { holderIdentity, leaseDurationSeconds, renewTime: microTime(Date.now()) };
  await leases.patch(name, 'merge', { spec });
}

interface Agent extends AsyncDisposable {
  readonly obstacles: readonly (Obstacle | undefined)[];
  readonly requests: readonly string[];
  /** Who held the Lease, each time that it looked. */
  readonly found: readonly string[];
  readonly ended: Promise<void>;
  /** As its Lease says it. */
  identity(): string;
  acts(): Promise<void>;
  meets(kind: Obstacle['kind']): Promise<Obstacle | undefined>;
}

interface AgentChange extends Partial<Pick<NodeClaimOptions, 'times'>> {
  readonly onUnlocked?: (error: unknown) => void;
}

async function start(
  node: string,
  { times, onUnlocked = (error) => expect.fail(String(error)) }: AgentChange = {},
): Promise<Agent> {
  const identity = await ownIdentity(new Date());
  const obstacles: (Obstacle | undefined)[] = [];
  const requests: string[] = [];
  const found: string[] = [];
  let isActing = false;
  let holder = '';
  const counted = {
    get: async (...words: Parameters<typeof leases.get>) => {
      requests.push('get');
      const lease = await leases.get(...words);
      found.push(lease.spec.holderIdentity ?? '');
      return lease;
    },
    create: async (...words: Parameters<typeof leases.create>) => {
      requests.push('create');
      return await leases.create(...words);
    },
    replace: async (...words: Parameters<typeof leases.replace>) => {
      requests.push('replace');
      return await leases.replace(...words);
    },
  };
  const claim = new NodeClaim(counted, {
    name: node,
    namespace: 'default',
    identity,
    lock: { path: pathOfLock(node), onFailure: onUnlocked },
    times,
    clock: systemClock,
    logger: createLogger({ name: 'test', level: 'silent', destination: process.stderr }),
    onObstacle: (obstacle) => {
      if (obstacle === undefined && obstacles.length === 0) return;
      obstacles.push(obstacle);
    },
    onFailure: () => undefined,
  });
  const stop = new AbortController();
  const report = async (signal: AbortSignal): Promise<void> => {
    isActing = true;
    holder = (await leases.get(node)).spec.holderIdentity ?? '';
    await untilAborted(signal);
    isActing = false;
  };
  const ended = claim.run(report, stop.signal);
  ended.catch(() => undefined);
  return {
    obstacles,
    requests,
    found,
    ended,
    identity: () => holder,
    acts: async () => {
      await expect.poll(() => isActing && holder !== '', { timeout: SOON_MS, interval: 20 }).toBe(true);
    },
    meets: async (kind) => {
      await expect.poll(() => obstacles.at(-1)?.kind, { timeout: SOON_MS, interval: 20 }).toBe(kind);
      return obstacles.at(-1);
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.allSettled([ended]);
    },
  };
}

interface AgentProcess extends AsyncDisposable {
  says(line: string): Promise<void>;
  kill(): Promise<void>;
}

/** An agent in a process of its own. */
function startProcess(node: string, words: readonly string[] = []): AgentProcess {
  const command = [...words, process.execPath, SCRIPT, server.kubeconfig, node, pathOfLock(node)];
  const [program = '', ...rest] = command;
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return {
    says: async (line) => {
      await expect.poll(() => lines, { timeout: 20_000, interval: 20 }).toContain(line);
    },
    kill: () => kill(child, ended),
    [Symbol.asyncDispose]: () => kill(child, ended),
  };
}

async function kill(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}
