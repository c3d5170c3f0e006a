import { release } from 'node:os';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import type { Hypervisor } from '@smalt/fleet-api';
import { connect } from '@smalt/libvirt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from './fixtures/fleet-bed.ts';
import type { NodeAgent } from './node-agent.ts';

let bed: FleetBed;
let daemon: TestDaemon;
let nodes = 0;
let node = '';

beforeAll(async () => {
  bed = await startFleetBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

beforeEach(async () => {
  nodes += 1;
  node = `node${nodes}`;
  daemon = await startTestDaemon();
});

afterEach(async () => {
  await daemon[Symbol.asyncDispose]();
});

describe('what a node agent reports', () => {
  it('fills the status, and the columns of kubectl', async () => {
    await using _agent = await start({ register: true });

    const hypervisor = await reported();

    expect(hypervisor.status).toMatchObject({
      libVirtVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      hypervisorVersion: '0.0.2',
      instances: [{ id: '6695eb01-f6a4-8304-79aa-97f2502e193f', name: 'test', active: true }],
      capacity: { cpu: '16', memory: '6Gi' },
      allocation: { cpu: '2', memory: '8Gi' },
      operatingSystem: { kernelName: 'Linux', kernelRelease: release() },
    });
    expect(connectionOf(hypervisor)).toMatchObject({ status: 'True', reason: 'Connected', observedGeneration: 1 });
    expect(await bed.kubectl('get', 'hypervisors', node)).toMatch(
      new RegExp(
        String.raw`^NAME +NODE +READY +STATE +VERSION +INSTANCES +HARDWARE +KERNEL +AGE\n${node} +${node} +.*1 `,
      ),
    );
  });

  it('shows what happens to a domain, and writes nothing when nothing happened', async () => {
    await using agent = await start({ register: true, pollMs: 1_000 });
    await reported();
    await using connection = await connect(daemon.uri);

    const domain = await connection.domainDefineXml({ xml: domainXml('web') });
    const defined = await bed.until(node, ({ status }) => status?.numInstances === 2);
    await connection.domainCreate({ domain });
    const started = await bed.until(node, ({ status }) => isActive(status, 'web') === true);
    const polls = callsOf(agent, 'connectListAllDomains') + 2;
    await reached(() => callsOf(agent, 'connectListAllDomains') >= polls);
    const later = await bed.hypervisors.get(node);

    expect(isActive(defined.status, 'web')).toBe(false);
    expect(started.status).toMatchObject({ allocation: { cpu: '4', memory: '8256Mi' } });
    expect(later.metadata.resourceVersion).toBe(started.metadata.resourceVersion);
  });

  it('follows the overcommit of the spec without a word to libvirt', async () => {
    await using agent = await start({ register: true });
    await reported();
    // What the part for migrations asks last when it begins, which it does in its own time.
    await reached(() => callsOf(agent, 'domainGetState') === 1);
    const before = allCalls(agent);

    await bed.hypervisors.patch(node, 'merge', { spec: { overcommit: { cpu: 2.5 } } });
    const after = await bed.until(node, ({ status }) => status?.effectiveCapacity?.['cpu'] === '40');

    expect(connectionOf(after)).toMatchObject({ observedGeneration: 2 });
    expect(allCalls(agent)).toBe(before);
  });

  it('mends what somebody else wrote over it, and leaves the fields of others alone', async () => {
    await using _agent = await start({ register: true });
    await bed.until(node, ({ status }) => status?.numInstances === 1);

    const lie = { status: { numInstances: 7, internalIp: '192.0.2.1' } };
    await bed.hypervisors.patch(node, 'merge', lie, { subresource: 'status', fieldManager: 'liar' });
    const { status } = await bed.until(node, ({ status: now }) => now?.numInstances === 1);

    expect(status?.internalIp).toBe('192.0.2.1');
  });
});

describe('a node agent in trouble', () => {
  it('says that the daemon is away, keeps what it knew, and reads all anew when it is back', async () => {
    await using _agent = await start({ register: true });
    await using before = await connect(daemon.uri);
    await before.domainDefineXml({ xml: domainXml('forgotten') });
    await bed.until(node, ({ status }) => status?.numInstances === 2);

    daemon.kill('SIGKILL');
    const away = await bed.until(node, (hypervisor) => connectionOf(hypervisor)?.status === 'False');
    await daemon.restart();
    const back = await bed.until(node, (hypervisor) => hypervisor.status?.numInstances === 1);

    expect(connectionOf(away)).toMatchObject({
      reason: 'ConnectFailed',
      message: expect.stringMatching(/^unable to connect to libvirtd: ./),
    });
    expect(away.status?.numInstances).toBe(2);
    expect(linesAbout(daemon.uri).at(-1)).toEqual(['info', `the libvirt daemon at ${daemon.uri} answers again`]);
    expect(connectionOf(back)).toMatchObject({ status: 'True', reason: 'Connected' });
  });

  it('takes nothing away when it starts anew without a daemon', async () => {
    const first = await start({ register: true });
    const told = await bed.until(node, ({ status }) => status?.numInstances === 1);
    await first[Symbol.asyncDispose]();
    daemon.kill('SIGKILL');

    await using _second = await start({});
    const away = await bed.until(node, (hypervisor) => connectionOf(hypervisor)?.status === 'False');
    await daemon.restart();
    const back = await bed.until(node, (hypervisor) => connectionOf(hypervisor)?.status === 'True');

    expect(away.status).toMatchObject({ instances: told.status?.instances, capacity: told.status?.capacity });
    expect(back.status?.numInstances).toBe(1);
  });

  it('changes nothing when it starts anew and all is as it was', async () => {
    const first = await start({ register: true });
    const told = await reported();
    await first[Symbol.asyncDispose]();

    await using second = await start({});
    await reached(() => writes(second) > 0);

    expect((await bed.hypervisors.get(node)).status).toEqual(told.status);
  });

  it('catches up once when the API server is back', async () => {
    await using agent = await start({ register: true });
    await reported();
    await using connection = await connect(daemon.uri);

    const written = writes(agent);
    await bed.server.kill();
    for (const name of ['a', 'b', 'c']) await connection.domainDefineXml({ xml: domainXml(name) });
    await reached(() => knownDomains(agent) === 4 && failedWrites(agent) > 0);
    const before = await bed.server.restart(AbortSignal.timeout(30_000)).then(() => bed.hypervisors.get(node));
    const after = await bed.until(node, ({ status }) => status?.numInstances === 4, 40_000);
    const url = bed.server.url.replace(/\/$/, '');
    const isBack = ([level, message]: readonly unknown[]): boolean =>
      level === 'info' && message === `the API server ${url} answers again`;
    // A kube-apiserver that has just begun refuses for a moment what it will allow, which the agent tells as well.
    await reached(() => linesAbout(url).some(isBack));
    const warnings = linesAbout(url).flatMap(([level, message]) => (level === 'warn' ? [message] : []));

    expect(before.status?.numInstances === 1 || before.status?.numInstances === 4).toBe(true);
    expect(after.status?.instances?.map(({ name }) => name)).toEqual(['test', 'a', 'b', 'c']);
    expect(writes(agent) - written).toBeLessThanOrEqual(2);
    expect(warnings[0]).toMatch(/^the API server \S+ cannot be reached: .*\. See that it runs/);
    expect(new Set(warnings).size).toBe(warnings.length);
  }, 90_000);

  it('says once that neither the API nor the daemon can be reached, and why', async () => {
    const kubeConfig = { ...bed.client.config, server: 'https://127.0.0.1:1' };
    await using agent = await start({ kubeConfig, libvirt: { kind: 'host', uri: 'test+tcp://127.0.0.1:2/default' } });

    await reached(() => repeatsAbout('https://127.0.0.1:1 ') > 1 && repeatsAbout('test+tcp://127.0.0.1:2/') > 1);
    const { results } = await agent.context.health.run('readyz', { signal: AbortSignal.timeout(1_000) });

    expect(linesAbout('https://127.0.0.1:1 ')).toEqual([
      ['warn', expect.stringMatching(/^the API server https:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/)],
    ]);
    expect(linesAbout('test+tcp://127.0.0.1:2/')).toEqual([
      ['warn', expect.stringMatching(/^the libvirt daemon at test\+tcp:\S+ cannot be reached: .*ECONNREFUSED/)],
    ]);
    expect(String(results.find(({ name }) => name === 'hypervisor-exists')?.error)).toMatch(
      /there is a Hypervisor node\d+: the API server https:\S+ cannot be reached: /,
    );
  }, 30_000);

  it('says once that its credentials are not accepted', async () => {
    const identity = { kind: 'token', token: { kind: 'text', text: 'nobody' } } as const;
    const server = bed.server.url.replace('127.0.0.1', 'localhost');
    const kubeConfig = { ...bed.client.config, server, identity, tls: { isInsecure: true } };
    await using _agent = await start({ kubeConfig });

    await reached(() => repeatsAbout('https://localhost') > 1);

    expect(linesAbout('https://localhost')).toEqual([
      ['warn', expect.stringMatching(/^the API server \S+ does not accept the agent's credentials: .*Renew the token/)],
    ]);
  }, 30_000);

  it('waits for a Hypervisor that does not exist yet, says so, and goes on when it is there', async () => {
    await using agent = await start({});
    await reached(() => bed.log.some(({ msg, hypervisor }) => hypervisor === node && isMissing(msg)));
    const ready = await agent.context.health.run('readyz', { signal: AbortSignal.timeout(1_000) });

    await bed.hypervisors.apply(node, { spec: {} });
    await bed.until(node, ({ status }) => status?.numInstances === 1);
    await bed.hypervisors.delete(node);
    await reached(() => missingLines() === 2);
    await bed.hypervisors.apply(node, { spec: {} });
    const again = await bed.until(node, ({ status }) => status?.numInstances === 1);
    const healthy = await agent.context.health.run('readyz', { signal: AbortSignal.timeout(1_000) });

    expect(ready.results).toContainEqual({
      name: 'hypervisor-exists',
      isExcluded: false,
      error: expect.objectContaining({
        message: expect.stringMatching(/^there is no Hypervisor node\d+: have the op/),
      }),
    });
    expect(connectionOf(again)).toMatchObject({ status: 'True', observedGeneration: 1 });
    expect(healthy.isHealthy).toBe(true);
    // Nobody waits for an event to be written.
    await expect
      .poll(() => bed.kubectl('get', 'events', '--field-selector', `involvedObject.name=${node}`))
      .toContain('HypervisorMissing');
  });

  it('stops reporting when the Node that the Hypervisor belongs to is gone', async () => {
    const { uid = '' } = (await bed.nodes.create({ metadata: { name: node } })).metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: node, uid }];
    await bed.hypervisors.apply(node, { metadata: { ownerReferences, finalizers: ['test.dev/stay'] }, spec: {} });
    await using _agent = await start({});
    await bed.until(node, ({ status }) => status?.numInstances === 1);

    await bed.nodes.delete(node);
    await reached(() => bed.log.some(({ msg, hypervisor }) => hypervisor === node && /is gone/.test(String(msg))));
    await using connection = await connect(daemon.uri);
    await connection.domainDefineXml({ xml: domainXml('unseen') });
    await bed.nodes.create({ metadata: { name: `${node}-other` } });

    expect((await bed.hypervisors.get(node)).status?.numInstances).toBe(1);
    await bed.hypervisors.patch(node, 'merge', { metadata: { finalizers: null } });
  });
});

function start(options: Partial<Parameters<FleetBed['startAgent']>[0]>): Promise<NodeAgent> {
  return bed.startAgent({ nodeName: node, libvirt: { kind: 'host', uri: daemon.uri }, ...options });
}

/** Resolves with the Hypervisor once every part of its agent has spoken: on a busy machine not all do so by the first write. */
function reported(): Promise<Hypervisor> {
  return bed.until(node, ({ status }) => {
    const hasRebootCondition = status?.conditions?.some(({ type }) => type === 'EvacuateOnReboot') === true;
    const { numInstances, operatingSystem, updateStatus } = status ?? {};
    return numInstances === 1 && operatingSystem !== undefined && updateStatus !== undefined && hasRebootCondition;
  });
}

/** The lines for people about some address, with their levels. */
function linesAbout(address: string): readonly (readonly [unknown, unknown])[] {
  const lines = bed.log.filter(({ level, msg }) => level !== 'debug' && String(msg).includes(address));
  return lines.map(({ level, msg }) => [level, msg]);
}

/** How often something was found again that had been told already. */
function repeatsAbout(address: string): number {
  return bed.log.filter(({ level, msg }) => level === 'debug' && String(msg).includes(address)).length;
}

function connectionOf({ status }: Hypervisor) {
  return status?.conditions?.find(({ type }) => type === 'LibVirtConnection');
}

function isActive(status: Hypervisor['status'], name: string): boolean | undefined {
  return status?.instances?.find((instance) => instance.name === name)?.active;
}

function isMissing(message: unknown): boolean {
  return String(message).startsWith(`there is no Hypervisor ${node}:`);
}

function missingLines(): number {
  return bed.log.filter(({ msg }) => isMissing(msg)).length;
}

function callsOf(agent: NodeAgent, procedure: string): number {
  return bed.metric(agent, `smalt_libvirt_calls_total{procedure="${procedure}"}`);
}

function allCalls(agent: NodeAgent): number {
  return bed.metricSum(agent, 'smalt_libvirt_calls_total');
}

function knownDomains(agent: NodeAgent): number {
  return bed.metric(agent, 'smalt_agent_domains');
}

function failedWrites(agent: NodeAgent): number {
  return bed.metric(agent, 'smalt_agent_status_writes_total{result="failed"}');
}

function writes(agent: NodeAgent): number {
  return bed.metric(agent, 'smalt_agent_status_writes_total{result="written"}');
}

async function reached(isReached: () => boolean): Promise<void> {
  await expect.poll(isReached, { timeout: 20_000, interval: 20 }).toBe(true);
}

function domainXml(name: string): string {
  return `<domain type='test'><name>${name}</name><memory unit='MiB'>64</memory><vcpu>2</vcpu><os><type>hvm</type></os></domain>`;
}
