import { LaggingWay } from '@smalt/bed-kubernetes';
import { ControllerManager, Informers, type Informer } from '@smalt/controller-runtime';
import { KubeClient } from '@smalt/kube';
import type { Node } from '@smalt/placement';
import { createLogger, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';
import { virtualMachineInstanceKind, WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';
import { fenceNote } from '@smalt/vm-lifecycle';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startControllerBed, type ControllerBed } from './fixtures/controller-bed.ts';
import { instanceDraft } from './fixtures/vm-objects.ts';
import { addIndexes } from './frame/add-indexes.ts';
import { createInstanceController } from './instance/instance-controller.ts';
import { nodeKind, slimNode } from './kinds/cluster-node.ts';
import { openContext } from './start/open-context.ts';

const NODE = 'n1';
const FENCED_AT = WellKnownName.fencedAtAnnotation;
const logger = createLogger({ name: 'test', level: 'silent', destination: process.stderr });

let bed: ControllerBed;

beforeAll(async () => {
  bed = await startControllerBed();
  await bed.node(NODE);
});

afterAll(() => bed[Symbol.asyncDispose]());

it('does not give up an instance whose node is off by its cache, and is back by the API', async () => {
  const namespace = await bed.namespace();
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'kept'));
  const { metadata } = await untilInstance(namespace, ({ status }) => status?.phase === 'Running');
  await bed.crash();
  await declareDead(await boot('boot-1'));
  await using late = await openLate();
  await expect.poll(() => late.nodes.cache.get(NODE)?.metadata.annotations).toHaveProperty([FENCED_AT]);
  late.stall();
  await boot('boot-2');

  await late.start();
  await expect.poll(async () => late.asked() > 1 || (await phaseOf(namespace)) === 'Failed').toBe(true);

  const after = await bed.client.resource(virtualMachineInstanceKind).get('kept', { namespace });
  expect(after).toMatchObject({ metadata: { uid: metadata.uid }, status: { phase: 'Running' } });
});

interface LateController extends AsyncDisposable {
  /** What it knows of nodes. */
  readonly nodes: Informer<Node>;
  /** From now on it hears nothing of nodes. */
  stall(): void;
  /** Lets it look after instances. */
  start(): Promise<void>;
  /** How often it has asked the API itself. */
  asked(): number;
}

/** The controller of instances, which watches the nodes by a way of its own, and does all else by others. */
async function openLate(): Promise<LateController> {
  await using owned = new AsyncDisposableStack();
  const stopping = new AbortController();
  const way = owned.use(await LaggingWay.open(bed.kubeConfig.server));
  let asked = 0;
  const onExchange = ({ method }: { readonly method: string }): void => void (asked += method === 'GET' ? 1 : 0);
  const open = (options: object): KubeClient =>
    owned.use(new KubeClient({ config: bed.kubeConfig, userAgent: 'virt-controller/1', ...options }));
  const late = open({ config: { ...bed.kubeConfig, server: way.url } });
  const client = open({});
  const asking = open({ onExchange });
  const informers = new Informers(late, { onFailure: () => undefined });
  const nodes = informers.for(nodeKind, { transform: slimNode });
  const running: Promise<void>[] = [informers.run(stopping.signal)];
  owned.defer(async () => {
    stopping.abort(new Error('the controller ends'));
    await Promise.allSettled(running);
  });
  const start = async (): Promise<void> => {
    const { clock, kubeConfig } = bed;
    const metrics = new MetricsRegistry();
    const manager = new ControllerManager({ client, logger, metrics, health: new HealthRegistry(), clock });
    const parts = { client, manager, metrics };
    const context = await openContext({ kubeConfig, logger, clock, random: () => 0 }, parts, stopping.signal);
    addIndexes(context);
    manager.add(createInstanceController({ ...context, client: asking, nodes }));
    running.push(manager.run(stopping.signal));
  };
  const moved = owned.move();
  return {
    nodes,
    stall: () => way.stall(),
    start,
    asked: () => asked,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

/** The node is booted, and its handler tells that it is alive. */
async function boot(bootID: string): Promise<Node> {
  const nodes = bed.client.resource(nodeKind);
  await nodes.patch(NODE, 'merge', { status: { nodeInfo: { bootID } } }, { subresource: 'status' });
  bed.clock.advance(1_000);
  await bed.heartbeat(NODE);
  return await nodes.get(NODE);
}

async function declareDead(node: Node): Promise<void> {
  const annotations = fenceNote(node, bed.clock.now());
  await bed.client.resource(nodeKind).patch(NODE, 'merge', { metadata: { annotations } });
}

async function phaseOf(namespace: string): Promise<string | undefined> {
  const { status } = await bed.client.resource(virtualMachineInstanceKind).get('kept', { namespace });
  return status?.phase;
}

async function untilInstance(
  namespace: string,
  isWanted: (vmi: VirtualMachineInstance) => boolean,
): Promise<VirtualMachineInstance> {
  return await bed.until(virtualMachineInstanceKind, `${namespace}/kept`, isWanted);
}
