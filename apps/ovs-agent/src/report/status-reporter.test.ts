import { startTestApiServer, installDefinitions, type TestApiServer } from '@smalt/bed-kubernetes';
import { Informers, systemClock } from '@smalt/controller-runtime';
import { isNotFound, KubeClient, KubeError, loadKubeConfig, type ResourceClient } from '@smalt/kube';
import { ovsNodeKind, readOvsDefinitions, type OVSNode } from '@smalt/ovs-api';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { nodeKind } from './node-kind.ts';
import { StatusReporter } from './status-reporter.ts';
import { WatchedOvsNode } from './watched-ovs-node.ts';

const namespace = 'default';
const stack = new AsyncDisposableStack();
let server: TestApiServer;
let client: KubeClient;
let ovsNodes: ResourceClient<OVSNode>;

beforeAll(async () => {
  server = stack.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = stack.use(new KubeClient({ config, userAgent: 'test/1' }));
  ovsNodes = client.resource(ovsNodeKind);
  await installDefinitions(client, await readOvsDefinitions(), AbortSignal.timeout(110_000));
});

afterAll(async () => {
  await stack.disposeAsync();
});

it('makes the object, owned by the Node where there is one, and the status with it', async () => {
  const node = await client.resource(nodeKind).create({ metadata: { name: 'owned' } });
  await using world = start('owned');

  world.reporter.annotate({ 'example.dev/url': 'https://hv1:9443' });
  world.reporter.state({ ovsVersion: '3.1.0', conditions: [{ type: 'Ready', status: 'True' }] });
  const told = await until('owned', ({ status }) => status !== undefined);

  expect(told).toMatchObject({
    metadata: {
      annotations: { 'example.dev/url': 'https://hv1:9443' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'owned', uid: node.metadata.uid }],
    },
    spec: { nodeRef: { name: 'owned' } },
    status: { ovsVersion: '3.1.0', conditions: [{ type: 'Ready', status: 'True', observedGeneration: 1 }] },
  });
});

it('gives an object to a Node that is seen only later', async () => {
  await using world = start('joined');
  world.reporter.state({ ovsVersion: '3.1.0' });
  const before = await until('joined', ({ status }) => status !== undefined);

  const node = await client.resource(nodeKind).create({ metadata: { name: 'joined' } });
  const after = await until('joined', ({ metadata }) => metadata.ownerReferences !== undefined);

  expect(before.metadata.ownerReferences).toBeUndefined();
  expect(after).toMatchObject({
    metadata: { uid: before.metadata.uid, ownerReferences: [{ kind: 'Node', uid: node.metadata.uid }] },
    status: before.status,
  });
});

it('writes the status also of an object that it may not give to its Node', async () => {
  const refuse: Pick<ResourceClient<OVSNode>, 'apply' | 'applyStatus'> = {
    apply: async (name, fields, options) => {
      if ('ownerReferences' in Object(fields['metadata'])) throw new KubeError('forbidden', 'cannot set an ownerRef');
      return await ovsNodes.apply(name, fields, options);
    },
    applyStatus: (name, status, options) => ovsNodes.applyStatus(name, status, options),
  };
  await using world = start('refused', { client: refuse });
  world.reporter.state({ ovsVersion: '1' });
  await until('refused', ({ status }) => status?.ovsVersion === '1');

  await client.resource(nodeKind).create({ metadata: { name: 'refused' } });
  await expect.poll(() => world.log.filter((line) => line.includes('stays when that goes')).length).toBe(1);
  world.reporter.annotate({ 'example.dev/url': 'https://hv1:9443' });
  world.reporter.state({ ovsVersion: '2' });
  const told = await until('refused', ({ status }) => status?.ovsVersion === '2');

  expect(told.metadata.annotations).toEqual({ 'example.dev/url': 'https://hv1:9443' });
  await expect.poll(() => world.writes).toEqual(['written', 'written']);
  await expect.poll(() => world.reporter.obstacle).toBeUndefined();
});

it('writes facts at once, counters at most every so often, and nothing twice', async () => {
  await using world = start('paced', { countersMs: 3_000 });
  const at = performance.now();
  world.reporter.state({ ovsVersion: '1', metrics: { packetsSent: 1 } });
  await until('paced', ({ status }) => status?.ovsVersion === '1');

  world.reporter.state({ ovsVersion: '1', metrics: { packetsSent: 2 } });
  world.reporter.state({ ovsVersion: '1', metrics: { packetsSent: 3 } });
  await until('paced', ({ status }) => status?.metrics?.packetsSent === 3);
  const tookMs = performance.now() - at;
  world.reporter.state({ ovsVersion: '2', metrics: { packetsSent: 4 } });
  await until('paced', ({ status }) => status?.ovsVersion === '2');
  // Others see it before the answer is here.
  await expect.poll(() => world.writes).toHaveLength(3);
  world.reporter.state({ ovsVersion: '2', metrics: { packetsSent: 4 } });
  await world.stop();

  expect(tookMs).toBeGreaterThan(2_900);
  expect(world.writes).toEqual(['written', 'written', 'written']);
});

it('tells the first changes at once, and of what goes on changing only the newest now and then', async () => {
  let stated = 0;
  const flap = (): void => {
    for (let index = 0; index < 5; index++) world.reporter.state({ ovsVersion: String(++stated) });
  };
  await using world = start('flapping', { writesPerMinute: 60, onWrite: flap });

  const at = performance.now();
  flap();
  await expect.poll(() => world.writes.length, { timeout: 10_000, interval: 5 }).toBeGreaterThanOrEqual(10);
  const tookMs = performance.now() - at;

  // Eight at once, and each one after them takes a second.
  expect(tookMs).toBeGreaterThan(1_500);
  expect(stated).toBeGreaterThanOrEqual(50);
});

it('makes an object that was deleted again, with everything in it', async () => {
  await using world = start('deleted');
  world.reporter.state({ ovsVersion: '3.1.0' });
  const first = await until('deleted', ({ status }) => status?.ovsVersion === '3.1.0');

  await ovsNodes.delete('deleted', { namespace });
  const second = await until(
    'deleted',
    ({ metadata, status }) => metadata.uid !== first.metadata.uid && status !== undefined,
  );

  expect(second.status).toEqual({ ovsVersion: '3.1.0' });
});

it('writes over what somebody else has written', async () => {
  await using world = start('mended');
  world.reporter.state({ ovsVersion: '3.1.0' });
  await until('mended', ({ status }) => status?.ovsVersion === '3.1.0');

  const options = { namespace, fieldManager: 'somebody', force: true };
  await ovsNodes.applyStatus('mended', { ovsVersion: '6.6.6' }, options);
  await ovsNodes.apply('mended', { spec: { nodeRef: { name: 'other' } } }, options);

  const object = await until(
    'mended',
    ({ spec, status }) => spec.nodeRef.name === 'mended' && status?.ovsVersion === '3.1.0',
  );

  expect(object.metadata.generation).toBe(3);
});

it(
  'keeps the newest status while the API is away, says once that it is, and writes it once',
  { timeout: 30_000 },
  async () => {
    await using world = start('patient');
    world.reporter.state({ ovsVersion: '1' });
    // Seen by the reporter too: an answer that is lost would have it write the same once more.
    await expect.poll(() => world.writes, { timeout: 10_000 }).toEqual(['written']);

    await server.kill();
    for (const ovsVersion of ['2', '3', '4']) world.reporter.state({ ovsVersion });
    await expect.poll(() => world.writes.includes('failed'), { timeout: 10_000 }).toBe(true);
    const obstacle = world.reporter.obstacle;
    await server.restart(AbortSignal.timeout(20_000));
    await until('patient', ({ status }) => status?.ovsVersion === '4');
    await world.stop();

    expect(obstacle).toBeDefined();
    expect(world.reporter.obstacle).toBeUndefined();
    expect(world.writes.filter((write) => write === 'written')).toHaveLength(2);
    expect(world.log.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
  },
);

interface Wishes {
  readonly client?: Pick<ResourceClient<OVSNode>, 'apply' | 'applyStatus'>;
  readonly countersMs?: number;
  readonly writesPerMinute?: number;
  readonly onWrite?: () => void;
}

function start(nodeName: string, wishes: Wishes = {}) {
  const { client: writer = ovsNodes, countersMs = 60_000, writesPerMinute = 600, onWrite } = wishes;
  const writes: string[] = [];
  const log: string[] = [];
  const informers = new Informers(client, { onFailure: () => undefined });
  const node = new WatchedOvsNode(informers, { namespace, nodeName });
  const reporter = new StatusReporter({
    nodeName,
    namespace,
    node,
    client: writer,
    countersMs,
    writesPerMinute,
    clock: systemClock,
    random: () => 0,
    logger: createLogger({ name: 'test', destination: { write: (line) => log.push(line) } }),
    countWrite: (result) => {
      writes.push(result);
      onWrite?.();
    },
  });
  const stopping = new AbortController();
  const running = Promise.all([informers.run(stopping.signal), reporter.run(stopping.signal)]);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  return { reporter, writes, log, stop, [Symbol.asyncDispose]: stop };
}

async function until(name: string, isWanted: (node: OVSNode) => boolean): Promise<OVSNode> {
  let last: OVSNode | undefined;
  const look = async (): Promise<boolean> => {
    last = await ovsNodes.get(name, { namespace }).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    return last !== undefined && isWanted(last);
  };
  await expect.poll(look, { timeout: 10_000, interval: 20 }).toBe(true);
  if (last === undefined) throw new Error(`there is no ${name}`);
  return last;
}
