import { startTestApiServer, untilObject } from '@smalt/bed-kubernetes';
import { AlteringProxy, refusal, startHost, type BedHost } from '@smalt/bed-libvirt';
import { leaseKind, systemClock, type AgentIdentity } from '@smalt/controller-runtime';
import { KubeClient, loadKubeConfig, type ResourceClient } from '@smalt/kube';
import { procedures } from '@smalt/libvirt';
import { createLogger, type Logger } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import { claimNode } from './claim-node.ts';
import { handledNodeKind, type HandledNode } from './handled-node.ts';
import { NodeReporter, type NodeReporterOptions } from './node-reporter.ts';

describe('on a node with a real libvirt', { timeout: 30_000 }, () => {
  const owned = new AsyncDisposableStack();
  const log: Record<string, unknown>[] = [];
  let host: BedHost;
  let client: KubeClient;
  let nodes: ResourceClient<HandledNode>;

  beforeAll(async () => {
    const [server, started] = await Promise.all([startTestApiServer(), startHost()]);
    host = owned.use(started);
    owned.use(server);
    const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
    client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
    nodes = client.resource(handledNodeKind);
  });

  afterAll(() => owned.disposeAsync());

  it('waits for its Node, tells what it can run, and says farewell', async () => {
    await using reporting = startReporter({});
    reporting.reporter.annotate({ 'smalt.dev/virt-handler-url': 'https://192.0.2.1:8186' });
    await expect.poll(() => log.some(({ msg }) => String(msg).includes('there is no Node hv1'))).toBe(true);
    expect(reporting.reporter.trouble).toBe('there is no Node hv1');

    await nodes.create({ metadata: { name: 'hv1', labels: { mine: 'x' } } });
    // Until libvirt has answered it is closed.
    const open = await untilNode(
      ({ metadata, status }) =>
        metadata.labels?.['kubevirt.io/schedulable'] === 'true' &&
        status?.capacity?.['devices.kubevirt.io/tun'] !== undefined,
    );
    const { labels = {}, annotations = {} } = open.metadata;

    expect(labels).toMatchObject({
      mine: 'x',
      'kubevirt.io/schedulable': 'true',
      'hypervisor.node.kubevirt.io/qemu': 'true',
      'machine-type.node.kubevirt.io/q35': 'true',
      'cpu-model.node.kubevirt.io/qemu64': 'true',
    });
    expect(labels).not.toHaveProperty('hypervisor.node.kubevirt.io/qemu-kvm');
    expect(Object.keys(labels)).toContainEqual(expect.stringMatching(/^cpu-feature\.node\.kubevirt\.io\//u));
    expect(Object.keys(labels)).toContainEqual(expect.stringMatching(/^host-model-cpu\.node\.kubevirt\.io\//u));
    expect(annotations).toMatchObject({ 'smalt.dev/virt-handler-url': 'https://192.0.2.1:8186' });
    expect(Date.now() - Date.parse(annotations['kubevirt.io/heartbeat'] ?? '')).toBeLessThan(30_000);
    expect(open.status?.allocatable).toMatchObject({ 'devices.kubevirt.io/tun': expect.anything() });
    expect(open.status?.capacity).not.toHaveProperty('devices.kubevirt.io/kvm');
    await expect.poll(() => reporting.reporter.trouble === undefined).toBe(true);

    await reporting[Symbol.asyncDispose]();
    const closed = await nodes.get('hv1');

    expect(closed.metadata.labels).toMatchObject({ 'kubevirt.io/schedulable': 'false' });
    expect(closed.metadata.annotations).toEqual(annotations);
  });

  it('beats with one write each time, and none that changes anything else', async () => {
    const writes: unknown[] = [];
    const counting: NodeReporterOptions['nodes'] = {
      get: (name, options) => nodes.get(name, options),
      patch: async (name, type, patch, options) => {
        writes.push(patch);
        return await nodes.patch(name, type, patch, options);
      },
    };
    await using _ = startReporter({ nodes: counting, heartbeatMs: 20 });

    await expect.poll(() => writes.length >= 6).toBe(true);

    const beat = { metadata: { labels: {}, annotations: { 'kubevirt.io/heartbeat': expect.any(String) } } };
    expect(writes.slice(4, 6)).toEqual([beat, beat]);
  });

  it('closes the node when libvirt is away, and opens it again', async () => {
    await using _ = startReporter({ heartbeatMs: 100_000 });
    await untilNode(({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'true');

    await host.stop();
    const closed = await untilNode(({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'false');
    await host.powerOn();
    await untilNode(({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'true');

    expect(closed.metadata.labels).not.toHaveProperty('hypervisor.node.kubevirt.io/qemu');
  });

  it('keeps what it told of its guests while libvirt does not say it, and looks again', async () => {
    let isRefusing = false;
    let refusals = 0;
    const daemon = { host: new URL(host.uri).hostname, port: Number(new URL(host.uri).port) };
    await using proxy = await AlteringProxy.start(daemon, (message) => {
      const isAnswer = message.readUInt32BE(12) === procedures.connectGetDomainCapabilities.number;
      if (!isRefusing || !isAnswer) return message;
      refusals++;
      return refusal(message);
    });
    const uri = `qemu+tcp://127.0.0.1:${proxy.port}/system`;
    await using _ = startReporter({ heartbeatMs: 100_000 }, uri);
    await untilNode(isOpenWithModels);
    isRefusing = true;

    await host.stop();
    await untilNode(({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'false');
    await host.powerOn();
    const open = await untilNode(({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'true');
    await expect.poll(() => refusals, { timeout: 15_000 }).toBeGreaterThan(2);

    expect(isOpenWithModels(open)).toBe(true);
    expect(isOpenWithModels(await nodes.get('hv1'))).toBe(true);
  });

  it('lets one of two handlers act, and the second when the first has ended', async () => {
    const obstacles: (string | undefined)[] = [];
    const acting: string[] = [];
    const first = startClaim('one', acting, () => undefined);
    await expect.poll(() => acting.includes('one')).toBe(true);
    await using _ = startClaim('two', acting, (reason) => void obstacles.push(reason));

    await expect.poll(() => obstacles.length > 0).toBe(true);
    expect(obstacles.at(-1)).toMatch(/^another handler acts on this node: one/u);
    expect(acting).toEqual(['one']);

    await first[Symbol.asyncDispose]();
    await expect.poll(() => acting.includes('two')).toBe(true);
  });

  function startReporter(
    change: Partial<NodeReporterOptions>,
    uri: string = host.uri,
  ): AsyncDisposable & { readonly reporter: NodeReporter } {
    const sessions = new HypervisorSessions({ drivers: { qemu: { uri } }, logger: logger() });
    const reporter = new NodeReporter({
      nodeName: 'hv1',
      nodes,
      sessions,
      canOpen: async (device) => device === 'tun',
      clock: systemClock,
      random: () => 0,
      logger: logger(),
      ignore: () => undefined,
      ...change,
    });
    const stop = new AbortController();
    const running = Promise.all([sessions.run(stop.signal), reporter.run(stop.signal)]);
    return {
      reporter,
      [Symbol.asyncDispose]: async () => {
        stop.abort();
        await running;
        await sessions[Symbol.asyncDispose]();
      },
    };
  }

  function startClaim(
    name: string,
    acting: string[],
    onObstacle: (reason: string | undefined) => void,
  ): AsyncDisposable {
    const claim = claimNode({
      leases: client.resource(leaseKind),
      nodeName: 'hv1',
      namespace: 'default',
      identity: identity(name),
      times: { leaseMs: 1_500, renewDeadlineMs: 1_000, retryMs: 100 },
      clock: systemClock,
      logger: logger(),
      onObstacle,
      onFailure: () => undefined,
    });
    const stop = new AbortController();
    const running = claim.run(async (signal) => {
      acting.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
    }, stop.signal);
    return {
      [Symbol.asyncDispose]: async () => {
        stop.abort();
        await running;
      },
    };
  }

  function logger(): Logger {
    return createLogger({ name: 'test', destination: { write: (line) => log.push(Object(JSON.parse(line))) } });
  }

  async function untilNode(isWanted: (node: HandledNode) => boolean): Promise<HandledNode> {
    return await untilObject({ objects: nodes, name: 'hv1', isWanted, timeoutMs: 15_000 });
  }
});

function isOpenWithModels({ metadata: { labels = {} } }: HandledNode): boolean {
  const wanted = ['kubevirt.io/schedulable', 'cpu-model.node.kubevirt.io/qemu64', 'machine-type.node.kubevirt.io/q35'];
  return wanted.every((label) => labels[label] === 'true');
}

/** Of a process that cannot be looked at from here. */
function identity(host: string): AgentIdentity {
  return { host, pid: 7, startedAt: '2026-01-01T00:00:00Z', scope: `kernel-of-${host}`, ticks: '1', nonce: 'a1' };
}
