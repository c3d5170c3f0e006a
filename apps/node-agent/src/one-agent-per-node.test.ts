import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { describeIdentity, leaseKind, systemClock } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import { microTime } from '@smalt/kubernetes';
import { connect } from '@smalt/libvirt';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from './fixtures/fleet-bed.ts';
import { RefusingProxy } from './fixtures/refusing-proxy.ts';
import type { NodeAgent } from './node-agent.ts';

const lease = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 300 };
/** By these it would look at the Lease once a minute: what comes sooner does not come from such a look. */
const rare = { leaseMs: 120_000, renewDeadlineMs: 90_000, retryMs: 60_000 };
const SOON_MS = 20_000;

let bed: FleetBed;
let daemon: TestDaemon;

beforeAll(async () => {
  bed = await startFleetBed();
  daemon = await startTestDaemon();
});

afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
});

it('lets one of two agents report, and has the other say that it waits', { timeout: 30_000 }, async () => {
  const first = await start('twice', { register: true });
  await bed.until('twice', ({ status }) => status?.numInstances === 1);
  await using second = await start('twice');

  const told = await bed.until('twice', (hypervisor) => conflictOf(hypervisor) !== undefined);
  const silent = writes(second);
  await first[Symbol.asyncDispose]();
  const over = await bed.until('twice', (hypervisor) => conflictOf(hypervisor) === undefined);
  await using connection = await connect(daemon.uri);
  const domain = await connection.domainDefineXml({ xml: domainXml('seen-by-second') });
  await bed.until('twice', ({ status }) => status?.numInstances === 2);
  await connection.domainUndefine({ domain });

  expect(conflictOf(told)).toMatchObject({
    status: 'True',
    reason: 'AnotherAgentReports',
    message: expect.stringMatching(
      /^Two agents run for twice: \S+ pid \d+ since \S+Z reports, \S+ pid \d+ since \S+Z waits\. Stop one of them\.$/,
    ),
  });
  expect(silent).toBe(0);
  expect(over.status).toMatchObject({
    numInstances: 1,
    conditions: expect.arrayContaining([expect.objectContaining({ type: 'LibVirtConnection' })]),
  });
});

it('waits for one that has its state directory, says so at once, and follows it at once', async () => {
  await using state = await mkdtempDisposable(join(tmpdir(), 'smalt-shared-'));
  const shared = { stateDirectory: state.path, lease: rare };
  const first = await start('shared', { ...shared, register: true });
  await bed.until('shared', ({ status }) => status?.numInstances === 1);
  const { holderIdentity = '' } = (await bed.client.resource(leaseKind).get('smalt-node-agent-shared')).spec;

  await using second = await start('shared', shared);
  const told = await bed.until('shared', (hypervisor) => conflictOf(hypervisor) !== undefined);
  const silent = writes(second);
  await first[Symbol.asyncDispose]();
  await expect.poll(() => writes(second), { timeout: SOON_MS }).toBeGreaterThan(0);

  expect(conflictOf(told)).toMatchObject({ status: 'True', reason: 'AnotherAgentReports' });
  expect(conflictOf(told)?.message).toContain(`: ${describeIdentity(holderIdentity)} reports, `);
  expect(silent).toBe(0);
  await bed.until('shared', (hypervisor) => conflictOf(hypervisor) === undefined, SOON_MS);
}, 60_000);

it('reports without a lock where none can be had, and warns', async () => {
  await using state = await mkdtempDisposable(join(tmpdir(), 'smalt-unlocked-'));
  const path = join(state.path, 'agent.unlocked.lock');
  await mkdir(path);

  await using agent = await start('unlocked', { stateDirectory: state.path, register: true, lease: undefined });
  await bed.until('unlocked', ({ status }) => status?.numInstances === 1);

  const { spec } = await bed.client.resource(leaseKind).get('smalt-node-agent-unlocked');
  expect(spec.leaseDurationSeconds).toBe(40);
  expect(bed.log.find(({ msg }) => String(msg).startsWith('the Lease alone keeps a second agent off'))).toMatchObject({
    path,
    reason: expect.stringContaining('EISDIR'),
  });
  expect(writes(agent)).toBeGreaterThan(0);
});

it('stops writing when its Lease is stolen, and waits for it to come back', { timeout: 30_000 }, async () => {
  await using agent = await start('stolen', { register: true });
  await bed.until('stolen', ({ status }) => status?.numInstances === 1);
  const leases = bed.client.resource(leaseKind);

  await steal('stolen', 'somebody else');
  const told = await bed.until('stolen', (hypervisor) => conflictOf(hypervisor) !== undefined);
  const before = writes(agent);
  await using connection = await connect(daemon.uri);
  const domain = await connection.domainDefineXml({ xml: domainXml('missed') });
  await connection.domainUndefine({ domain });
  const lent = await leases.get('smalt-node-agent-stolen');
  const written = writes(agent);
  // The thief renews no more, so that its Lease ends.
  await bed.until('stolen', (hypervisor) => conflictOf(hypervisor) === undefined, 20_000);

  expect(conflictOf(told)?.message).toContain('somebody else reports');
  expect(lent.spec.holderIdentity).toBe('somebody else');
  expect(written).toBe(before);
  expect((await leases.get('smalt-node-agent-stolen')).spec.holderIdentity).toMatch(/ pid \d+ since /);
});

it('takes the Lease of an agent that was killed at once, without a word of conflict', { timeout: 30_000 }, async () => {
  const first = await start('killed', { register: true });
  await bed.until('killed', ({ status }) => status?.numInstances === 1);
  const leases = bed.client.resource(leaseKind);
  const { holderIdentity = '' } = (await leases.get('smalt-node-agent-killed')).spec;
  await first[Symbol.asyncDispose]();
  // Of a process of this very kernel that does not exist any more.
  await steal('killed', holderIdentity.replace(/pid \d+/, 'pid 4194304'), 120);

  await using second = await start('killed', { lease: rare });
  await expect.poll(() => writes(second), { timeout: SOON_MS }).toBeGreaterThan(0);

  expect(conflictOf(await bed.hypervisors.get('killed'))).toBeUndefined();
});

it('says at once that a process of its host reports, and takes over soon after that is killed', async () => {
  const first = await start('local', { register: true });
  await bed.until('local', ({ status }) => status?.numInstances === 1);
  const { holderIdentity = '' } = (await bed.client.resource(leaseKind).get('smalt-node-agent-local')).spec;
  await first[Symbol.asyncDispose]();
  const rival = spawn('sleep', ['60'], { stdio: 'ignore' });
  const gone = once(rival, 'exit');
  await steal('local', await identityOf(rival.pid ?? 0, holderIdentity), 120);

  await using second = await start('local', { lease: rare });
  const told = await bed.until('local', (hypervisor) => conflictOf(hypervisor) !== undefined, SOON_MS);
  const silent = writes(second);
  rival.kill('SIGKILL');
  await gone;
  await expect.poll(() => writes(second), { timeout: SOON_MS }).toBeGreaterThan(0);

  expect(conflictOf(told)?.message).toContain(`pid ${rival.pid} `);
  expect(silent).toBe(0);
  await bed.until('local', (hypervisor) => conflictOf(hypervisor) === undefined, SOON_MS);
}, 60_000);

it('does not fight over the words when three agents run', { timeout: 60_000 }, async () => {
  await using _first = await start('thrice', { register: true });
  await bed.until('thrice', ({ status }) => status?.numInstances === 1);
  const lines = waitingLines();
  await using second = await start('thrice');
  // Of one process as they are, only their times tell the agents apart.
  const clock = { ...systemClock, now: () => Date.now() + 60_000 };
  await using third = await start('thrice', { clock });
  await bed.until('thrice', (hypervisor) => conflictOf(hypervisor) !== undefined);
  await expect.poll(waitingLines, { timeout: 10_000 }).toBe(lines + 2);

  await renewals('thrice', 10);

  expect(patches(second) + patches(third)).toBeLessThanOrEqual(3);
});

it('does not report when it may not keep the Lease, and says so', { timeout: 60_000 }, async () => {
  const first = await start('refused', { register: true });
  await bed.until('refused', ({ status }) => status?.numInstances === 1);
  await using proxy = await RefusingProxy.start(bed.server, (path) => path.includes('/leases'));
  await using second = await start('refused', { kubeConfig: { ...bed.client.config, ...proxy.config } });

  const told = await bed.until('refused', (hypervisor) => conflictOf(hypervisor) !== undefined);
  await renewals('refused', 3);
  const silent = writes(second);
  await first[Symbol.asyncDispose]();
  proxy.allow();
  await expect.poll(() => writes(second), { timeout: 15_000 }).toBeGreaterThan(0);

  expect(conflictOf(told)).toMatchObject({
    status: 'Unknown',
    reason: 'LeaseRefused',
    message: expect.stringMatching(
      /^An agent for refused does not report, because it may not keep the Lease default\/smalt-node-agent-refused: .*no by proxy\. Let it/,
    ),
  });
  expect(silent).toBe(0);
  expect(bed.log.filter(({ msg }) => /may not keep the Lease/.test(String(msg)))).toHaveLength(1);
  await bed.until('refused', (hypervisor) => conflictOf(hypervisor) === undefined);
});

it('goes on reporting after the API server was away for longer than its Lease', { timeout: 60_000 }, async () => {
  await using agent = await start('patient', { register: true });
  await bed.until('patient', ({ status }) => status?.numInstances === 1);
  await bed.server.kill();
  const lostAt = performance.now();
  await expect.poll(() => performance.now() - lostAt, { timeout: 10_000 }).toBeGreaterThan(lease.leaseMs + 1_000);
  const calls = bed.metricSum(agent, 'smalt_libvirt_calls_total');
  await using connection = await connect(daemon.uri);
  await connection.domainDefineXml({ xml: domainXml('in-the-dark') });
  await expect.poll(() => bed.metricSum(agent, 'smalt_libvirt_calls_total')).toBeGreaterThan(calls);

  await bed.server.restart(AbortSignal.timeout(30_000));
  const { status } = await bed.until('patient', (hypervisor) => hypervisor.status?.numInstances === 2, 40_000);

  expect(status?.conditions?.map(({ type }) => type)).not.toContain('NodeAgentConflict');
});

function start(nodeName: string, options: Partial<Parameters<FleetBed['startAgent']>[0]> = {}): Promise<NodeAgent> {
  return bed.startAgent({ nodeName, libvirt: { kind: 'host', uri: daemon.uri }, lease, ...options });
}

/** The identity of an agent that is another process of this host. */
async function identityOf(pid: number, own: string): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return own.replace(/pid \d+/, `pid ${pid}`).replace(/ \d+ (?<nonce>[\da-f]+)\)$/, ` ${ticks} $<nonce>)`);
}

/** Resolves once who holds the Lease has renewed it so often. */
async function renewals(node: string, count: number): Promise<void> {
  const seen = new Set<string | undefined>();
  const look = async (): Promise<number> => {
    seen.add((await bed.client.resource(leaseKind).get(`smalt-node-agent-${node}`)).spec.renewTime);
    return seen.size;
  };
  await expect.poll(look, { timeout: 30_000, interval: 100 }).toBeGreaterThan(count);
}

function waitingLines(): number {
  return bed.log.filter(({ msg }) => /another agent reports/.test(String(msg))).length;
}

/** How often an agent has written a condition, an event or a status. */
function patches(agent: NodeAgent): number {
  const lines = agent.context.metrics.expose().split('\n');
  const counts = lines.filter((line) => line.startsWith('rest_client_requests_total{') && line.includes('"PATCH"'));
  return counts.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

async function steal(node: string, holderIdentity: string, leaseDurationSeconds = 3): Promise<void> {
  const spec = { holderIdentity, leaseDurationSeconds, renewTime: microTime(Date.now()) };
  await bed.client.resource(leaseKind).patch(`smalt-node-agent-${node}`, 'merge', { spec });
}

function conflictOf({ status }: Hypervisor) {
  return status?.conditions?.find(({ type }) => type === 'NodeAgentConflict');
}

function writes(agent: NodeAgent): number {
  return bed.metric(agent, 'smalt_agent_status_writes_total{result="written"}');
}

function domainXml(name: string): string {
  return `<domain type='test'><name>${name}</name><memory unit='MiB'>64</memory><vcpu>2</vcpu><os><type>hvm</type></os></domain>`;
}
