import { HypervisorConditionType, hypervisorKind, type HypervisorStatus } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { AGENT_CONDITIONS } from '../agent-conditions.ts';
import { CONFLICT_TYPE } from '../decide-notice.ts';
import { AGENT_FIELDS } from '../status/status-fields.ts';
import {
  ask,
  FLEET,
  hypervisor,
  outcome,
  post,
  startPolicedServer,
  type PolicedServer,
} from './fixtures/policed-server.ts';

/** What could be told in each field of a status. */
const TOLD: Readonly<Record<keyof Omit<HypervisorStatus, 'conditions'>, unknown>> = {
  aggregates: [{ name: 'a', uuid: 'u' }],
  allocation: { cpu: '1' },
  capabilities: { cpus: '4' },
  capacity: { cpu: '4' },
  cells: [{ cellID: 0 }],
  domainCapabilities: { arch: 'x86_64' },
  effectiveCapacity: { cpu: '8' },
  evicted: true,
  hypervisorId: 'h2',
  hypervisorVersion: '9.0.0',
  instances: [{ id: 'i', name: 'guest', active: true }],
  internalIp: '192.0.2.2',
  libVirtVersion: '9.0.0',
  lifecycleState: 'Active',
  numInstances: 7,
  operatingSystem: { version: '1' },
  serviceId: 's2',
  smokeTest: { failures: 0 },
  specHash: 'x',
  traits: ['CUSTOM_A'],
  updateStatus: { inProgress: true, retry: 1 },
};
/** The settings may name more units. */
const OWN_TYPES: readonly string[] = [...AGENT_CONDITIONS, CONFLICT_TYPE, 'multipathd.socket'];
const FOREIGN_TYPES: readonly string[] = [
  ...Object.values(HypervisorConditionType).filter((type) => !OWN_TYPES.includes(type)),
  'Unheard',
  'service',
  'example.com/checked.service',
];

let server: PolicedServer;
let admin: KubeClient;
/** The agent of n1, or who has stolen its token. */
let agent: KubeClient;
/** That of n3, which has no Hypervisor yet. */
let newcomer: KubeClient;

beforeAll(async () => {
  const files = ['node-agent', 'node-agent-register', 'node-agent-policies'];
  server = await startPolicedServer(files, { nodes: ['n1', 'n2', 'n3'], hypervisors: ['n1', 'n2'] });
  ({ admin } = server);
  agent = await server.agentOf('n1');
  newcomer = await server.agentOf('n3');
  // Kubernetes goes by new policies a moment after they were taken.
  await vi.waitUntil(async () => (await tell('n2')) !== 'done', { timeout: 20_000 });
}, 120_000);

afterAll(() => server[Symbol.asyncDispose]());

describe('the status of its own Hypervisor', () => {
  it.each(Object.entries(TOLD).map(([field, value]) => ({ field, value, isOwn: isAgentField(field) })))(
    'has the field $field, which is the agent’s to tell: $isOwn',
    async ({ field, value, isOwn }) => {
      const refused = expect.stringContaining(`the node agent of n1 may not change status.${field}`);

      expect(await tellOf({ [field]: value })).toEqual(isOwn ? 'done' : refused);
    },
  );

  it.each([...OWN_TYPES, ...FOREIGN_TYPES].map((type) => ({ type, isOwn: OWN_TYPES.includes(type) })))(
    'has the condition $type, which is the agent’s to state: $isOwn',
    async ({ type, isOwn }) => {
      const refused = expect.stringContaining(`the node agent of n1 may not change the conditions ${type}`);

      expect(await tellOf({ conditions: [condition(type)] })).toEqual(isOwn ? 'done' : refused);
    },
  );

  it('keeps what others say there while the agent says something else, and is not taken away', async () => {
    const foreign = { hypervisorId: 'h1', serviceId: 's1', conditions: [condition('Ready')] };
    expect(await ask(admin, 'PATCH', `${FLEET}/hypervisors/n1/status`, { status: foreign })).toBe('done');

    const beside = await tellOf({ numInstances: 2, conditions: [condition('HaAgent'), condition('Ready')] });
    const without = [
      await tellOf({ serviceId: null }),
      await tellOf({ conditions: [condition('HaAgent')] }),
      await tellOf({ conditions: [condition('HaAgent'), { ...condition('Ready'), status: 'False' }] }),
    ];

    expect(beside).toBe('done');
    expect(without).toEqual([
      expect.stringContaining('may not change status.serviceId'),
      expect.stringContaining('may not change the conditions Ready'),
      expect.stringContaining('may not change the conditions Ready'),
    ]);
  });
});

it('is judged within the limits of the server, however much is told of a host', async () => {
  const foreign = Array.from({ length: 100 }, (_, index) => condition(`example.com/Checked-${index}`));
  const wish = { groups: Array.from({ length: 500 }, (_, index) => ({ trait: { name: `CUSTOM_${index}` } })) };
  expect(await ask(admin, 'PATCH', `${FLEET}/hypervisors/n1`, { spec: wish })).toBe('done');
  expect(await ask(admin, 'PATCH', `${FLEET}/hypervisors/n1/status`, { status: { conditions: foreign } })).toBe('done');
  const instances = Array.from({ length: 2_000 }, (_, index) => ({
    id: `${index}`,
    name: `guest-${index}`,
    active: true,
  }));

  expect(await tellOf({ instances, conditions: [...foreign, ...OWN_TYPES.map((type) => condition(type))] })).toBe(
    'done',
  );
  expect(await tellOf({ conditions: foreign.slice(1) })).toContain(
    'may not change the conditions example.com/Checked-0',
  );
});

describe('an agent that registers its host', () => {
  const REFUSED = /the node agent of n3 may not change (?:metadata|spec)/v;

  it.each([
    { what: 'the power controller of another', metadata: { annotations: { 'smalt.dev/bmc-address': '192.0.2.2' } } },
    { what: 'labels', metadata: { labels: { 'example.com/outlet': 'of-n2' } } },
    { what: 'a finalizer', metadata: { finalizers: ['evil.example/stay'] } },
    { what: 'no lifecycle', spec: { lifecycleEnabled: false } },
    { what: 'no test', spec: { skipTests: true } },
    { what: 'aggregates', spec: { aggregates: ['tenants'] } },
    { what: 'more to give than it has', spec: { overcommit: { cpu: 8 } } },
    { what: 'maintenance', spec: { maintenance: 'manual', maintenanceReason: 'why not' } },
  ])('is refused to make it with $what', async ({ metadata = {}, spec = {} }) => {
    const made = { ...hypervisor('n3'), metadata: { name: 'n3', ...metadata }, spec };

    expect(await post(newcomer, `${FLEET}/hypervisors`, made)).toMatch(REFUSED);
  });

  it('makes it as the definition has it for whoever wishes nothing, and finds one that others wish something of', async () => {
    expect(await register(newcomer, 'n3')).toBe('done');
    const wish = { metadata: { labels: { a: 'b' } }, spec: { customTraits: ['CUSTOM_A'] } };
    expect(await ask(admin, 'PATCH', `${FLEET}/hypervisors/n3`, wish)).toBe('done');

    expect(await register(newcomer, 'n3')).toBe('done');
    expect(await ask(newcomer, 'PATCH', `${FLEET}/hypervisors/n3`, { spec: { customTraits: [] } })).toMatch(REFUSED);
    expect(await ask(newcomer, 'PATCH', `${FLEET}/hypervisors/n3`, { metadata: { labels: { a: null } } })).toMatch(
      REFUSED,
    );
  });
});

async function tell(name: string): Promise<string> {
  return await ask(agent, 'PATCH', `${FLEET}/hypervisors/${name}/status`, { status: { numInstances: 1 } });
}

/** Of its own host. */
async function tellOf(status: object): Promise<string> {
  return await ask(agent, 'PATCH', `${FLEET}/hypervisors/n1/status`, { status });
}

/** As the agent does it. */
async function register(client: KubeClient, name: string): Promise<string> {
  const options = { fieldManager: 'smalt-registration' };
  return await outcome(client.resource(hypervisorKind).apply(name, { spec: {} }, options));
}

function isAgentField(field: string): boolean {
  return AGENT_FIELDS.some((each) => each === field);
}

function condition(type: string): object {
  return { type, status: 'True', reason: 'Told', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
}
