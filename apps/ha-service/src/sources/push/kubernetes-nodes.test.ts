import { createHash } from 'node:crypto';

import { startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { TokenReviews } from '@smalt/kubernetes-callers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bearerOf, KubernetesNodes } from './kubernetes-nodes.ts';

const AUDIENCE = 'smalt-ha-service';
const ACCOUNTS = ['agents:ha-agent'];
const owned = new AsyncDisposableStack();
let server: TestApiServer;
let client: KubeClient;

beforeAll(async () => {
  server = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await create('/api/v1/namespaces', { kind: 'Namespace', metadata: { name: 'agents' } });
  await create('/api/v1/nodes', { kind: 'Node', metadata: { name: 'n1' } });
  for (const name of ['ha-agent', 'other'])
    await create('/api/v1/namespaces/agents/serviceaccounts', { kind: 'ServiceAccount', metadata: { name } });
});

afterAll(() => owned.disposeAsync());

describe('the cluster', { timeout: 30_000 }, () => {
  it('tells the node that a token of an agent is bound to', async () => {
    expect(await find(nodes(), await tokenOf('ha-agent', 'n1'))).toBe('n1');
  });

  it.each([
    { what: 'of another account', account: 'other', node: 'n1' },
    { what: 'that is bound to no node', account: 'ha-agent', node: undefined },
  ])('tells no node of a token $what', async ({ account, node }) => {
    expect(await find(nodes(), await tokenOf(account, node))).toBeUndefined();
  });

  it('tells no node of a token that was made for somebody else', async () => {
    const token = await tokenOf('ha-agent', 'n1', 'vault');

    expect(await find(nodes(), token)).toBeUndefined();
  });

  it('is not asked about what is no token of it, and says nobody for one that is forged', async () => {
    const asked = nodes();
    const forged = `${(await tokenOf('ha-agent', 'n1')).slice(0, -6)}AAAAAA`;

    expect(await find(asked, 'just-a-word')).toBeUndefined();
    expect(asked.count).toBe(0);
    expect(await find(asked, forged)).toBeUndefined();
    expect(asked.count).toBe(1);
  });

  it('is asked once for a while, and once for many at a time', async () => {
    const asked = nodes();
    const token = await tokenOf('ha-agent', 'n1');

    const found = await Promise.all([find(asked, token), find(asked, token), find(asked, token)]);
    asked.pass(59_000);
    await find(asked, token);
    const before = asked.count;
    asked.pass(2_000);
    await find(asked, token);

    expect(found).toEqual(['n1', 'n1', 'n1']);
    expect([before, asked.count]).toEqual([1, 2]);
  });

  it('is taken at its last word while it is away, but not for ever, and nobody new gets in', async () => {
    const asked = nodes();
    const [token, stranger] = [await tokenOf('ha-agent', 'n1'), await tokenOf('other', 'n1')];
    await find(asked, token);
    asked.isAway = true;

    asked.pass(300_000);
    const stale = await find(asked, token);
    asked.pass(301_000);

    expect(stale).toBe('n1');
    await expect(find(asked, token)).rejects.toThrow('the cluster cannot be asked');
    await expect(find(asked, stranger)).rejects.toThrow('the cluster cannot be asked');
  });

  it('is not asked about too many at a time', async () => {
    const asked = nodes();

    const results = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => find(asked, `a.b.c${index}`)));

    expect(asked.count).toBe(32);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(68);
  });
});

describe('bearerOf', () => {
  const NAME = 'system:serviceaccount:agents:ha-agent';

  it.each([
    { name: NAME, nodes: ['n1'], bearer: { account: 'agents:ha-agent', node: 'n1' } },
    { name: 'system:node:n1', nodes: ['n1'], bearer: undefined },
    { name: NAME, nodes: undefined, bearer: undefined },
    { name: NAME, nodes: ['n1', 'n2'], bearer: undefined },
    { name: NAME, nodes: [''], bearer: undefined },
  ])('reads $name on $nodes as $bearer', ({ name, nodes: claimed, bearer }) => {
    const user = { extra: { 'authentication.kubernetes.io/node-name': claimed } };

    expect(bearerOf({ name, user })).toEqual(bearer);
  });
});

interface CountedNodes extends Pick<KubernetesNodes, 'find'> {
  readonly count: number;
  isAway: boolean;
  pass(milliseconds: number): void;
}

/** Asks the real server, and counts. */
function nodes(): CountedNodes {
  let [now, count] = [0, 0];
  const counting: Pick<KubeClient, 'request'> = {
    request: (...words) => {
      count++;
      if (counted.isAway) return Promise.reject(new Error('nobody is there'));
      return client.request(...words);
    },
  };
  const known = new KubernetesNodes({
    reviews: new TokenReviews({ client: counting, audience: () => AUDIENCE }),
    clock: { now: () => now },
    ignore: () => undefined,
  });
  const counted = {
    isAway: false,
    get count() {
      return count;
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    find: known.find.bind(known),
  };
  return counted;
}

async function find(known: Pick<KubernetesNodes, 'find'>, token: string): Promise<string | undefined> {
  const hash = createHash('sha256').update(token).digest('hex');
  return await known.find({ token, hash }, ACCOUNTS, AbortSignal.timeout(10_000));
}

async function create(path: string, object: Readonly<Record<string, unknown>>): Promise<unknown> {
  return await client.request({ method: 'POST', path, body: JSON.stringify({ apiVersion: 'v1', ...object }) });
}

async function tokenOf(account: string, node: string | undefined, audience = AUDIENCE): Promise<string> {
  const path = `/api/v1/namespaces/agents/serviceaccounts/${account}/token`;
  const bound = node === undefined ? {} : { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: node } };
  const spec = { expirationSeconds: 3_600, audiences: [audience], ...bound };
  const answer = await create(path, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec });
  return String(Object(Object(answer).status).token);
}
