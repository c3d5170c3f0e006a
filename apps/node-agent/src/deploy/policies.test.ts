import type { KubeClient } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ask, FLEET, post, startPolicedServer, type PolicedServer } from './fixtures/policed-server.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/smalt-system/leases';
const MIGRATIONS = '/apis/kvm.cloud.sap/v1alpha1/namespaces/smalt-system/migrations';
const EVENTS = '/api/v1/namespaces/smalt-system/events';

let server: PolicedServer;
let admin: KubeClient;
/** The agent of n1, or who has stolen its token. */
let agent: KubeClient;

beforeAll(async () => {
  const both = ['n1', 'n2'];
  server = await startPolicedServer(['node-agent', 'node-agent-policies'], { nodes: both, hypervisors: both });
  ({ admin } = server);
  agent = await server.agentOf('n1');
}, 120_000);

afterAll(() => server[Symbol.asyncDispose]());

describe('the agent of a node', () => {
  it('tells about its own Hypervisor, and is refused what is about another', async () => {
    await expect.poll(() => tell('n2')).toContain('the node agent of n1 may not write n2');
    expect(await tell('n1')).toBe('done');
  });

  it('holds its own Lease alone', async () => {
    const refused = expect.stringContaining('the node agent of n1 may not write smalt-node-agent-n2');

    expect(await post(agent, LEASES, { metadata: { name: 'smalt-node-agent-n1' } })).toBe('done');
    expect(await post(agent, LEASES, { metadata: { name: 'smalt-node-agent-n2' } })).toEqual(refused);
  });

  it('has its own host emptied, and no other, whatever the Eviction is called', async () => {
    const path = `${FLEET}/evictions`;

    const others = [
      await post(agent, path, eviction('n2', 'n2')),
      await post(agent, path, eviction('n1', 'n2')),
      await post(agent, path, eviction('n2', 'n1')),
    ];

    expect(others).toEqual([
      expect.stringContaining('the node agent of n1 may not write n2'),
      expect.stringContaining('the node agent of n1 may empty no other host'),
      expect.stringContaining('the node agent of n1 may not write n2'),
    ]);
    expect(await post(agent, path, eviction('n1', 'n1'))).toBe('done');
  });
});

describe('the agent of a node that tells of a migration', () => {
  const others = /the node agent of n1 may write no Migration of others/v;
  const absent = /the node agent of n1 may not say that another was not there/v;

  it.each([
    { labels: { origin: 'n1' }, answer: /^done$/v },
    { labels: { destination: 'n1' }, answer: /^done$/v },
    { labels: { origin: 'n2', destination: 'n1' }, answer: /^done$/v },
    { labels: { origin: 'n2' }, answer: others },
    { labels: {}, answer: others },
  ])('makes a record with the labels $labels: $answer', async ({ labels, answer }) => {
    await expect.poll(() => post(agent, MIGRATIONS, migration({ origin: 'n2' }))).toMatch(others);

    expect(await post(agent, MIGRATIONS, migration(labels))).toMatch(answer);
  });

  it.each([
    { before: undefined, after: { origin: 'n1' }, answer: /^done$/v },
    { before: undefined, after: { origin: 'n2' }, answer: others },
    { before: undefined, after: {}, answer: others },
    { before: { origin: 'n1' }, after: { origin: 'n1', destination: 'n2' }, answer: /^done$/v },
    { before: { origin: 'n2' }, after: { origin: 'n2', destination: 'n1' }, answer: /^done$/v },
    { before: { origin: 'n2' }, after: { origin: 'n1' }, answer: absent },
    { before: { origin: 'n2' }, after: { destination: 'n1' }, answer: absent },
    { before: { origin: 'n2' }, after: { origin: 'n2' }, answer: others },
    { before: { origin: 'n2', destination: 'n1' }, after: { origin: 'n3', destination: 'n1' }, answer: absent },
    { before: { origin: 'n2', destination: 'n3' }, after: { origin: 'n2', destination: 'n1' }, answer: absent },
    { before: { origin: 'n2', destination: 'n3' }, after: { origin: 'n2', destination: 'n3' }, answer: others },
  ])('tells $after where $before was told: $answer', async ({ before, after, answer }) => {
    const path = await told(before);

    expect(await tellIn(agent, path, after)).toMatch(answer);
  });

  it.each([
    { hosts: { origin: 'n1' }, answer: /^done$/v },
    { hosts: { origin: 'n2', destination: 'n1' }, answer: /^done$/v },
    { hosts: { origin: 'n2' }, answer: others },
    { hosts: { origin: 'n2', destination: 'n3' }, answer: others },
    { hosts: undefined, answer: others },
  ])('marks and deletes a record of $hosts: $answer', async ({ hosts, answer }) => {
    const path = await told(hosts);
    const annotations = { 'smalt.dev/moves-to': 'elsewhere' };

    expect(await ask(agent, 'PATCH', path, { metadata: { annotations } })).toMatch(answer);
    expect(await ask(agent, 'DELETE', path)).toMatch(answer);
  });

  it.each([
    { host: 'n1', answer: /^done$/v },
    { host: 'n2', answer: /the node agent of n1 may write no events of others/v },
  ])('records events about it in the name of $host: $answer', async ({ host, answer }) => {
    const path = await told({ origin: 'n1' });
    const involvedObject = { apiVersion: 'kvm.cloud.sap/v1alpha1', kind: 'Migration', namespace: 'smalt-system' };
    const event = { reason: 'MigrationStarted', message: 'a guest leaves', type: 'Normal', source: { host } };
    const metadata = { generateName: 'migration-', namespace: 'smalt-system' };
    const about = { ...involvedObject, name: path.split('/').at(-1) };

    expect(await post(agent, EVENTS, { metadata, ...event, involvedObject: about })).toMatch(answer);
  });

  it('hears that a record is not the one it meant before it hears whose it is', async () => {
    const path = await told({ origin: 'n2', destination: 'n3' });

    const refused = await ask(agent, 'DELETE', path, { preconditions: { uid: crypto.randomUUID() } });

    expect(refused).toMatch(/the UID in the precondition .* does not match the UID in record/v);
  });
});

interface Told {
  readonly origin?: string;
  readonly destination?: string;
}

/** A record that says this, made by others. Where it is. */
async function told(hosts: Told | undefined): Promise<string> {
  const name = crypto.randomUUID();
  expect(await post(admin, MIGRATIONS, migration({ origin: 'n2' }, name))).toBe('done');
  const path = `${MIGRATIONS}/${name}`;
  expect(hosts === undefined ? 'done' : await tellIn(admin, path, hosts)).toBe('done');
  return path;
}

async function tellIn(client: KubeClient, path: string, hosts: Told): Promise<string> {
  const before: unknown = await admin.request({ method: 'GET', path });
  const status = { started: '2026-01-01T00:00:00Z', ...hosts };
  return await ask(client, 'PUT', `${path}/status`, { ...Object(before), status });
}

function migration(hosts: Told, name: string = crypto.randomUUID()): object {
  const labels = Object.fromEntries(Object.entries(hosts).map(([role, host]) => [`smalt.dev/${role}`, host]));
  const type = { apiVersion: 'kvm.cloud.sap/v1alpha1', kind: 'Migration' };
  return { ...type, metadata: { name, labels }, spec: {} };
}

async function tell(name: string): Promise<string> {
  return await ask(agent, 'PATCH', `${FLEET}/hypervisors/${name}/status`, { status: { numInstances: 1 } });
}

function eviction(name: string, host: string): object {
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Eviction',
    metadata: { name },
    spec: { hypervisor: host, reason: 'reboot' },
  };
}
