import { startOvnCentral, startOvsNode, type OvnCentral, type OvsNode } from '@smalt/bed-ovs';
import { systemClock } from '@smalt/controller-runtime';
import type { Bond, Issue, OVSNode } from '@smalt/ovs-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startAgentBed, type AgentBed } from '../fixtures/agent-bed.ts';
import type { OvsAgent } from '../ovs-agent.ts';
import { startOvsAgent } from './start-ovs-agent.ts';

const lease = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 200 };
const stack = new AsyncDisposableStack();
let bed: AgentBed;
let central: OvnCentral;
let node: OvsNode;
let agent: OvsAgent;

beforeAll(async () => {
  bed = stack.use(await startAgentBed());
  central = stack.use(await startOvnCentral());
  node = stack.use(await startOvsNode({ datapath: 'netdev', name: 'hv1' }));
  await node.vsctl('add-br', 'br-provider', '--', 'set', 'bridge', 'br-provider', 'datapath_type=netdev');
  await node.addCable({ device: 'eno5', peer: 'swp5', speedMbps: 25_000 });
  await node.vsctl('add-port', 'br-provider', 'eno5');
  const bond = await node.addBond();
  await bond.settled();
  await node.joinOvn(central);
  await central.settled();
  agent = stack.use(await bed.startAgent(node, { lease }));
});

afterAll(async () => {
  await stack.disposeAsync();
});

it('makes the OVSNode of the node and tells everything in it', async () => {
  const told = await bed.until('hv1', isReady);

  expect(told.spec).toEqual({ nodeRef: { name: 'hv1' } });
  expect(told.status).toMatchObject({
    ovsVersion: '3.1.0',
    ovsdVersion: '3.1.0',
    dpdkEnabled: false,
    bridges: [
      { name: 'br-int', ports: 0, flows: expect.any(Number), datapathType: 'netdev', status: 'Active' },
      { name: 'br-provider', ports: 2, flows: 1, datapathType: 'netdev', status: 'Active' },
      { name: 'br-tor', ports: 1, flows: 1, datapathType: 'netdev', status: 'Active' },
    ],
    ovnController: { connected: true, sbConnection: central.unixRemote, chassisId: 'hv1' },
    metrics: { drops: 0, errors: 0 },
    issues: [],
  });
  expect(told.status?.interfaces?.physical).toContainEqual({
    name: 'eno1',
    status: 'Up',
    speed: '10Gbps',
    bond: 'bond0',
  });
  // The database leaves this speed out; the kernel tells it.
  expect(told.status?.interfaces?.physical).toContainEqual({ name: 'eno5', status: 'Up', speed: '25Gbps' });
  expect(bondOf(told)).toEqual({ name: 'bond0', mode: 'balance-tcp', status: 'Active', members: 2, activeMembers: 2 });
  expect(conditionsOf(told)).toEqual({
    Ready: 'True',
    OVSDBConnected: 'True',
    OVNControllerConnected: 'True',
    AllBridgesHealthy: 'True',
    AllBondsHealthy: 'True',
  });
  expect(told.status?.conditions?.every(({ observedGeneration }) => observedGeneration === 1)).toBe(true);
});

it('counts flows as ovs-ofctl does, and prints a line for kubectl', async () => {
  await node.addFlows('br-provider', ['table=3,priority=1,actions=drop', 'table=3,priority=2,ip,actions=drop']);

  const told = await bed.until('hv1', ({ status }) => status?.bridges?.[1]?.flows === 3);
  const listed = await bed.kubectl('get', 'ovsnodes', '--namespace', 'ovn-system');

  expect(told.status?.flowStats?.flowsPerTable).toContainEqual({ table: 3, flows: 2 });
  expect(listed).toMatch(/^hv1 +True +3\.1\.0 +false +true +\d+ /m);
});

it('tells of a lost link, of the bond that misses it, and of both when they are back', async () => {
  await node.setLink('eno2', 'down');
  // The database tells of the link, and ovs-vswitchd of the bond: either may be the first.
  const lost = await bed.until(
    'hv1',
    (object) => conditionsOf(object)['AllBondsHealthy'] === 'False' && isDown(object, 'eno2'),
  );
  await node.setLink('eno2', 'up');
  const back = await bed.until('hv1', isReady, 20_000);

  expect(bondOf(lost)).toMatchObject({ status: 'Degraded', members: 2, activeMembers: 1 });
  expect(conditionsOf(lost)).toMatchObject({ AllBondsHealthy: 'False', OVSDBConnected: 'True' });
  expect(bondOf(back)).toMatchObject({ status: 'Active', activeMembers: 2 });
});

it('notices that ovs-vswitchd was killed although the database says that all is well, and finds the next one', async () => {
  await node.kill('ovs-vswitchd');
  const killed = await bed.until('hv1', (object) => conditionsOf(object)['Ready'] === 'False');
  await node.start('ovs-vswitchd');
  const back = await bed.until('hv1', isReady, 20_000);

  expect(conditionsOf(killed)).toMatchObject({ AllBridgesHealthy: 'Unknown', OVSDBConnected: 'True' });
  expect(killed.status?.issues).toContainEqual(expect.objectContaining({ reason: 'VswitchdDown' }));
  expect(back.status?.issues).toEqual([]);
});

it('gives metrics at any time, from what it knows', async () => {
  await bed.until('hv1', isReady);

  const text = await agent.metrics.scrapeText(AbortSignal.timeout(5_000));

  expect(text).toContain('\novs_up 1\n');
  expect(text).toContain('\novn_controller_connected 1\n');
  expect(text).toContain('ovs_bond_members_enabled{bridge="br-provider",bond="bond0"} 2');
  expect(text).toContain('ovs_table_flows{bridge="br-provider",table="0"} 1');
  expect(text).toMatch(
    /^ovs_interface_receive_bytes_total\{bridge="br-provider",port="bond0",interface="eno1"\} \d+$/m,
  );
  expect(text).toContain('ovs_condition{type="Ready"} 1');
  expect(text).toMatch(/^smalt_ovs_agent_reconnects_total\{to="ovs-vswitchd"\} [1-9]$/m);
});

it('keeps the time of what was found over a restart', async () => {
  await node.setLink('eno1', 'down');
  const before = await bed.until('hv1', (object) => issueOf(object) !== undefined);
  await agent[Symbol.asyncDispose]();
  // Times in the status have seconds: another one would show.
  await expect.poll(() => Date.now() - Date.parse(issueOf(before)?.detectedAt ?? '')).toBeGreaterThan(1_000);
  const { resourceVersion } = (await bed.ovsNodes.get('hv1', { namespace: 'ovn-system' })).metadata;

  agent = stack.use(await bed.startAgent(node, { lease, judgement: { expectedBridges: ['br-missing'] } }));
  const after = await bed.until('hv1', ({ metadata }) => metadata.resourceVersion !== resourceVersion);
  await node.setLink('eno1', 'up');

  expect(issueOf(after)).toEqual(issueOf(before));
  expect(after.status?.conditions?.find(({ type }) => type === 'AllBondsHealthy')).toEqual(
    before.status?.conditions?.find(({ type }) => type === 'AllBondsHealthy'),
  );
});

it('leaves the OVSNode alone while another agent reports, and takes over from it what it has told', async () => {
  // Were it to go by what it has seen itself, its times would be an hour later.
  const clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 };
  const second = stack.use(await bed.startAgent(node, { lease, clock }));
  await expect.poll(() => bed.log.some(({ msg }) => String(msg).startsWith('another agent reports'))).toBe(true);
  let silent = '';
  await expect
    .poll(async () => (silent = await second.metrics.scrapeText(AbortSignal.timeout(5_000))))
    .toContain('\novs_up 1\n');
  await node.setLink('eno2', 'down');
  const before = await bed.until('hv1', (object) => issueOf(object) !== undefined);

  await agent[Symbol.asyncDispose]();
  await expect
    .poll(async () => await second.metrics.scrapeText(AbortSignal.timeout(5_000)), { timeout: 10_000 })
    .toContain('\nsmalt_ovs_agent_reporting 1\n');
  await node.vsctl('add-br', 'br-later', '--', 'set', 'bridge', 'br-later', 'datapath_type=netdev');
  const after = await bed.until('hv1', ({ status }) => status?.bridges?.length === 4);

  expect(issueOf(after)?.detectedAt).toBe(issueOf(before)?.detectedAt);
  expect(silent).toContain('\nsmalt_ovs_agent_reporting 0\n');
});

it.each([
  { options: { nodeName: 'Not A Name' }, says: 'node: "Not A Name" is not the name of a node' },
  { options: { namespace: '/' }, says: 'namespace: "/" is not the name of a namespace' },
  { options: { runDirectories: ['run'] }, says: 'runDirectories: "run" must be an absolute path' },
])('refuses $options in one sentence', async ({ options, says }) => {
  const { config: kubeConfig } = bed.client;
  const all = { nodeName: 'n', kubeConfig, logger: bed.logger, ...options };

  await expect(startOvsAgent(all, new AbortController().signal)).rejects.toThrow(says);
});

function isReady(object: OVSNode): boolean {
  return conditionsOf(object)['Ready'] === 'True';
}

function conditionsOf({ status }: OVSNode): Readonly<Record<string, string>> {
  return Object.fromEntries(status?.conditions?.map((condition) => [condition.type, condition.status]) ?? []);
}

function issueOf({ status }: OVSNode): Issue | undefined {
  return status?.issues?.find(({ reason }) => reason === 'BondUnhealthy');
}

function isDown({ status }: OVSNode, name: string): boolean {
  return status?.interfaces?.physical?.some((each) => each.name === name && each.status === 'Down') === true;
}

function bondOf({ status }: OVSNode): Bond | undefined {
  return status?.interfaces?.bonds?.find(({ name }) => name === 'bond0');
}
