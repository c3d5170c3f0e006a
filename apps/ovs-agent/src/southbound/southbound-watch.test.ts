import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startOvnCentral, startOvsNode, type OvnCentral, type OvnController, type OvsNode } from '@smalt/bed-ovs';
import { openOpenFlow } from '@smalt/ovs';
import type { OVSNode } from '@smalt/ovs-api';
import type { OvnFacts, SouthboundFacts, StaleFlowFacts } from '@smalt/switch-health';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startAgentBed, type AgentBed } from '../fixtures/agent-bed.ts';
import type { OvsAgent } from '../ovs-agent.ts';

const stack = new AsyncDisposableStack();
let bed: AgentBed;
let central: OvnCentral;
let here: OvsNode;
let there: OvsNode;
let controller: OvnController;
let agent: OvsAgent;

beforeAll(async () => {
  bed = stack.use(await startAgentBed());
  central = stack.use(await startOvnCentral());
  here = stack.use(await startOvsNode({ datapath: 'dummy', name: 'here' }));
  there = stack.use(await startOvsNode({ datapath: 'dummy', name: 'there' }));
  controller = await here.joinOvn(central, { encapIp: '127.0.0.1' });
  await there.joinOvn(central, { encapIp: '127.0.0.2' });
  await central.nbctl('ls-add', 'net');
  for (const port of ['vm1', 'vm2', 'vm3']) {
    const address = `02:00:00:00:00:0${port.slice(-1)}`;
    await central.nbctl('lsp-add', 'net', port, '--', 'lsp-set-addresses', port, address);
    await here.plugGuest({ device: `tap-${port}`, logicalPort: port });
  }
  await central.settled();
  const judgement = { migrationMs: 0, orphanMs: 0, staleFlowsMs: 300, southboundMs: 0, unattendedFlowsMs: 3_600_000 };
  agent = stack.use(await bed.startAgent(here, { judgement, times: { scanMs: 500 } }));
});

afterAll(async () => {
  await stack.disposeAsync();
});

it('knows its chassis, how far it is, and where its ports are bound', async () => {
  await expect.poll(() => southbound()?.portBindings.size, { timeout: 10_000 }).toBe(3);

  expect(southbound()).toMatchObject({ chassis: 'here', chassisNbCfg: southbound()?.nbCfg });
  expect(southbound()?.portBindings).toEqual(
    new Map([
      ['vm1', 'here'],
      ['vm2', 'here'],
      ['vm3', 'here'],
    ]),
  );
});

it('counts who is on the integration bridge, and nobody on another one', async () => {
  await using _ours = await agent.access.openFlow('br-int', new AbortController().signal);
  await here.vsctl('add-br', 'br-other');
  await using _others = await openOpenFlow({ socket: `${here.runDirectory}/br-other.mgmt`, requestTimeoutMs: 5_000 });
  const at = Date.now();

  await expect.poll(() => connections()?.at ?? 0, { timeout: 5_000 }).toBeGreaterThan(at);

  // ovn-controller itself has three.
  expect(connections()?.value).toBe(3);
  await here.vsctl('del-br', 'br-other');
});

it('goes by the chassis that ovn-controller was told, not by system-id', async () => {
  const root = await mkdtemp(join(tmpdir(), 'smalt-root-'));
  await mkdir(join(root, 'etc/ovn'), { recursive: true });
  await writeFile(join(root, 'etc/ovn/system-id-override'), 'there\n');
  await symlink('/proc', join(root, 'proc'));
  await using second = await bed.startAgent(here, { root });

  const told = (): string | undefined => {
    const answer = second.access.facts().ovn?.southbound;
    return answer?.kind === 'known' ? answer.value.chassis : undefined;
  };
  await expect.poll(told, { timeout: 5_000 }).toBe('there');

  expect(second.access.facts().configuration?.chassis).toBe('there');
  await rm(root, { recursive: true });
});

it('finds every flow explained on a node where all is well', async () => {
  await expect.poll(() => staleFlows()?.unexplained, { timeout: 10_000 }).toBeDefined();
  await expect.poll(() => staleFlows()?.scanned ?? 0, { timeout: 10_000 }).toBeGreaterThan(50);

  expect(staleFlows()).toMatchObject({ unexplained: new Map(), missingPorts: new Map() });
});

it('tells of a port that another chassis has claimed, by its name, until it is unplugged here', async () => {
  await central.nbctl('set', 'logical_switch_port', 'vm2', 'options:requested-chassis=there');
  await there.plugGuest({ device: 'tap-vm2', logicalPort: 'vm2' });
  const told = await bed.until('here', (node) => reasonsOf(node).includes('PortClaimedElsewhere'));
  await expect.poll(() => southbound()?.portBindings.get('vm2'), { timeout: 5_000 }).toBe('there');
  await here.vsctl('del-port', 'tap-vm2');
  await bed.until('here', (node) => !reasonsOf(node).includes('PortClaimedElsewhere'));

  expect(told.status?.issues).toContainEqual(expect.objectContaining({ subject: 'tap-vm2' }));
});

it('follows a port that is plugged in later', async () => {
  await central.nbctl('lsp-add', 'net', 'vm4');
  await here.plugGuest({ device: 'tap-vm4', logicalPort: 'vm4' });

  await expect.poll(() => southbound()?.portBindings.get('vm4'), { timeout: 10_000 }).toBe('here');
});

it('says that the database is away, keeps its peace, and is back with it', { timeout: 30_000 }, async () => {
  await central.kill('ovnsb_db');
  // Whose trouble it is it learns as it tries to come back.
  await expect
    .poll(() => ovn()?.southbound, { timeout: 10_000 })
    .toMatchObject({ kind: 'unknown', why: expect.stringContaining(central.remote), obstacle: 'server' });
  await central.start('ovnsb_db');

  await expect.poll(() => ovn()?.southbound?.kind, { timeout: 20_000 }).toBe('known');
});

it('finds flows whose rows and ports are gone, and that they went', { timeout: 40_000 }, async () => {
  await controller.kill();
  await here.vsctl('del-port', 'tap-vm3');
  await central.nbctl('lsp-del', 'vm3');
  await central.nbctl('--wait=sb', 'sync');
  await expect.poll(() => staleFlows()?.unexplained?.size, { timeout: 15_000 }).toBeGreaterThan(0);
  await expect.poll(() => staleFlows()?.missingPorts.size, { timeout: 15_000 }).toBeGreaterThan(0);
  const stale = staleFlows();
  await controller.start();
  await expect
    .poll(() => (staleFlows()?.unexplained?.size ?? 1) + (staleFlows()?.missingPorts.size ?? 1), { timeout: 15_000 })
    .toBe(0);

  expect(stale?.missingPorts.size).toBe(1);
});

it('goes to another remote when it is told to, and says what is wrong with one that makes no sense', async () => {
  await here.vsctl('set', 'Open_vSwitch', '.', 'external-ids:ovn-remote-here=nonsense');
  await expect
    .poll(() => ovn()?.southbound, { timeout: 10_000 })
    .toMatchObject({
      kind: 'unknown',
      why: expect.stringContaining('ovn-remote of Open_vSwitch: "nonsense" is no remote'),
      obstacle: 'ours',
    });
  await here.vsctl('set', 'Open_vSwitch', '.', 'external-ids:ovn-remote-here="ssl:127.0.0.1:1"');
  await expect.poll(() => ovn()?.southbound, { timeout: 10_000 }).toMatchObject({ obstacle: 'unconfigured' });
  await here.vsctl('set', 'Open_vSwitch', '.', `external-ids:ovn-remote-here="${central.unixRemote}"`);

  await expect.poll(() => southbound()?.chassis, { timeout: 10_000 }).toBe('here');
});

function ovn(): OvnFacts | undefined {
  return agent.access.facts().ovn;
}

function connections(): { readonly value: number; readonly at: number } | undefined {
  const answer = ovn()?.openFlowConnections;
  return answer?.kind === 'known' ? answer : undefined;
}

function southbound(): SouthboundFacts | undefined {
  const answer = ovn()?.southbound;
  return answer?.kind === 'known' ? answer.value : undefined;
}

function staleFlows(): StaleFlowFacts | undefined {
  const answer = ovn()?.staleFlows;
  return answer?.kind === 'known' ? answer.value : undefined;
}

function reasonsOf({ status }: OVSNode): readonly string[] {
  return status?.issues?.map(({ reason = '' }) => reason) ?? [];
}
