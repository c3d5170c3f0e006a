import { startOvnCentral, startOvsNode, type OvnCentral, type OvsNode } from '@smalt/bed-ovs';
import { systemClock } from '@smalt/controller-runtime';
import type { OVSNode } from '@smalt/ovs-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startAgentBed, type AgentBed } from '../fixtures/agent-bed.ts';

const HOUR_MS = 3_600_000;
const stack = new AsyncDisposableStack();
let bed: AgentBed;
let central: OvnCentral;
let node: OvsNode;
/** How far the clock of the agent is off. */
let offMs = 0;

beforeAll(async () => {
  bed = stack.use(await startAgentBed());
  central = stack.use(await startOvnCentral());
  node = stack.use(await startOvsNode({ datapath: 'netdev', name: 'hv1' }));
  await node.vsctl('add-br', 'br-provider', '--', 'set', 'bridge', 'br-provider', 'datapath_type=netdev');
  const bond = await node.addBond();
  await bond.settled();
  await node.joinOvn(central);
  await central.settled();
  const clock = { ...systemClock, now: () => systemClock.now() + offMs };
  // Connections that are lost here on purpose, one after the other, are no flapping.
  const judgement = { disconnectedMs: 1_000, flapChanges: 20 };
  stack.use(await bed.startAgent(node, { clock, judgement }));
  await bed.until('hv1', (object) => conditionOf(object, 'Ready')?.status === 'True', 20_000);
});

afterAll(async () => {
  await stack.disposeAsync();
});

it.each([
  ['set back by an hour', -HOUR_MS],
  ['set forward by an hour', HOUR_MS],
])(
  'tells faults, and that they are gone, in their usual time when the clock was %s, with times of that clock',
  { timeout: 60_000 },
  async (_how, stepMs) => {
    offMs += stepMs;

    await Promise.all([node.setLink('eno1', 'down'), node.setLink('eno2', 'down'), remote('unix:/nowhere/sb.sock')]);
    const broken = await bed.until('hv1', (object) => words(object) === 'False False False', 15_000);
    await Promise.all([node.setLink('eno1', 'up'), node.setLink('eno2', 'up'), remote(central.unixRemote)]);
    const mended = await bed.until('hv1', (object) => words(object) === 'True True True', 25_000);

    const told = [
      ...(broken.status?.issues ?? []).map(({ detectedAt }) => detectedAt),
      ...['AllBondsHealthy', 'OVNControllerConnected'].flatMap((type) =>
        [broken, mended].map((object) => conditionOf(object, type)?.lastTransitionTime),
      ),
    ];
    const offBy = told.map((time) => Math.round((Date.parse(time ?? '') - systemClock.now()) / HOUR_MS));
    expect(broken.status?.issues).toContainEqual(expect.objectContaining({ reason: 'BondUnhealthy' }));
    expect(broken.status?.issues).toContainEqual(expect.objectContaining({ reason: 'SouthboundDisconnected' }));
    expect(new Set(offBy)).toEqual(new Set([Math.round(offMs / HOUR_MS)]));
    expect(mended.status?.issues).toEqual([]);
  },
);

async function remote(target: string): Promise<void> {
  await node.vsctl('set', 'open', '.', `external_ids:ovn-remote="${target}"`);
}

function words(object: OVSNode): string {
  return ['Ready', 'AllBondsHealthy', 'OVNControllerConnected']
    .map((type) => conditionOf(object, type)?.status)
    .join(' ');
}

function conditionOf({ status }: OVSNode, type: string) {
  return status?.conditions?.find((condition) => condition.type === type);
}
