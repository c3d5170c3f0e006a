import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startOvnCentral, startOvsNode, type OvnCentral } from '@smalt/bed-ovs';
import type { OVSNodeStatus } from '@smalt/ovs-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import {
  addBridge,
  startImpatientAgent,
  startOvsCluster,
  startWatchedNode,
  type OvsCluster,
  type WatchedNode,
} from './ovs-bed.ts';
import { conditionOf, OvsNodeWatch } from './ovs-node-watch.ts';

const CONDITIONS = ['Ready', 'OVSDBConnected', 'OVNControllerConnected', 'AllBridgesHealthy', 'AllBondsHealthy'];
const MENDED_MS = 20_000;
/** Flapping is over when the connection has held for half a minute. */
const CALM_MS = 60_000;

// One node lives through every fault in this order, and is healthy again after each. Another one has its southbound
// database by tcp, where a database that hangs makes the connection come and go.
describe('the OVS agent tells the truth', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let cluster: OvsCluster;
  let central: OvnCentral;
  let here: WatchedNode;
  let overTcp: WatchedNode;

  beforeAll(async () => {
    cluster = owned.use(await startOvsCluster());
    central = owned.use(await startOvnCentral());
    // What is broken again and again on purpose does not flap.
    const local = { name: 'hv1', transport: 'unix', encapIp: '10.99.0.1', flapChanges: 100 } as const;
    here = owned.use(await startWatchedNode(cluster, central, local));
    const remote = { name: 'hv2', transport: 'tcp', probeMs: 1_000, encapIp: '10.99.0.2' } as const;
    overTcp = owned.use(await startWatchedNode(cluster, central, remote));
    await central.settled();
    await overTcp.watch.until('healthy', isHealthy);
  });

  afterAll(() => owned.disposeAsync());

  beforeEach(() => here.watch.until('healthy', isHealthy, MENDED_MS));

  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.log(here.log.slice(-20).join(''));
  });

  it('when the southbound database hangs, whatever ovn-controller believes', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => central.kill('ovnsb_db', 'SIGCONT'));
    await central.kill('ovnsb_db', 'SIGSTOP');

    const told = await here.watch.until('unreadable', (status) => !isTrue(status, 'OVNControllerConnected'));
    const believed = await here.controller.control('connection-status');
    const flapping = await overTcp.watch.until('flapping', (status) => has(status, /SouthboundFlapping/), 30_000);

    // It never probes a socket.
    expect(believed).toBe('connected\n');
    expect(issues(told)).toMatch(/^SouthboundUnreadable: .* at unix:/m);
    expect(conditionOf(flapping, 'OVNControllerConnected')).toMatch(/^False\//);
    expect(flapping.ovnController).toMatchObject({ connected: false, sbConnection: central.remote });
  });

  it('when the southbound database is killed', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => central.start('ovnsb_db'));
    await central.kill('ovnsb_db');

    const told = await here.watch.until('disconnected', (status) => has(status, /SouthboundDisconnected/));

    expect(conditionOf(told, 'OVNControllerConnected')).toMatch(/^False\//);
    expect(told.ovnController?.connected).toBe(false);
    // What was programmed stays, and works.
    expect(await here.node.ofctl('dump-aggregate', 'br-int')).toContain(`flow_count=${bridge(told, 'br-int')?.flows}`);
    expect(isTrue(told, 'AllBridgesHealthy')).toBe(true);
  });

  it.each([
    {
      what: 'wrong',
      change: ['set', 'open', '.', 'external_ids:ovn-remote=unix:/nonexistent/sb.sock'],
      says: /unix:\/nonexistent\/sb\.sock/,
    },
    { what: 'missing', change: ['remove', 'open', '.', 'external_ids', 'ovn-remote'], says: /ovn-remote is not set/ },
  ])('when the address of the southbound database is $what', async ({ change, says }) => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => setRemote(central.unixRemote));
    await here.node.vsctl(...change);

    const told = await here.watch.until('disconnected', (status) => !isTrue(status, 'OVNControllerConnected'));

    expect(issues(told)).toMatch(says);
    expect(told.ovnController?.connected).not.toBe(true);
  });

  it('when ovn-controller is paused', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => here.controller.resume());
    await here.controller.pause();

    const told = await here.watch.until('paused', (status) => has(status, /ControllerPaused/));

    expect(await here.controller.control('connection-status')).toBe('connected\n');
    expect(isTrue(told, 'OVNControllerConnected')).toBe(false);
  });

  it('when ovn-controller ends in good order', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => here.controller.start());
    await here.controller.kill('SIGTERM');

    const told = await here.watch.until('absent', (status) => has(status, /ovn-controller does not run/));

    expect(conditionOf(told, 'OVNControllerConnected')).toMatch(/^False\//);
  });

  it('when ovn-controller is killed and leaves its files behind', async () => {
    const { pid } = here.controller;
    {
      await using mending = new AsyncDisposableStack();
      mending.defer(() => here.controller.start());
      await here.controller.kill();

      const told = await here.watch.until('gone', (status) => has(status, /ovn-controller has ended/));

      const left = await readdir(here.node.runDirectory);
      expect(left).toEqual(expect.arrayContaining(['ovn-controller.pid', `ovn-controller.${pid}.ctl`]));
      expect(conditionOf(told, 'OVNControllerConnected')).toMatch(/^False\//);
      expect(told.ovnController?.connected).toBe(false);
    }
    await here.watch.until('healthy', isHealthy, MENDED_MS);

    // Both sockets are there now, and the right one was found.
    const sockets = (await readdir(here.node.runDirectory)).filter((name) => /^ovn-controller\..*ctl$/.test(name));
    expect(sockets).toHaveLength(2);
  });

  it('when ovn-controller hangs', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => here.controller.kill('SIGCONT'));
    await here.controller.kill('SIGSTOP');

    const told = await here.watch.until('silent', (status) =>
      has(status, /ovn-controller is alive and does not answer/),
    );

    expect(isTrue(told, 'OVNControllerConnected')).toBe(false);
  });

  it('when ovs-vswitchd is killed, though the database goes on to tell that all is well', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => here.node.start('ovs-vswitchd'));
    await here.node.kill('ovs-vswitchd');

    const told = await here.watch.until('gone', (status) => has(status, /ovs-vswitchd has ended/));

    await access(join(here.node.runDirectory, 'br-int.mgmt'));
    expect(await here.node.vsctl('get', 'interface', 'eno1', 'link_state')).toBe('up\n');
    expect(isTrue(told, 'Ready')).toBe(false);
    expect(isTrue(told, 'OVSDBConnected')).toBe(true);
    expect(claims(told)).toEqual([]);
  });

  it('when ovs-vswitchd hangs: it accepts connections and never answers', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => here.node.kill('ovs-vswitchd', 'SIGCONT'));
    await here.node.kill('ovs-vswitchd', 'SIGSTOP');

    const told = await here.watch.until('silent', (status) => has(status, /ovs-vswitchd is alive and does not answer/));

    expect(isTrue(told, 'Ready')).toBe(false);
    expect(claims(told)).toEqual([]);
  });

  it.each([
    { signal: 'SIGKILL', mend: () => here.node.start('ovsdb-server'), reason: 'DatabaseDisconnected' },
    { signal: 'SIGSTOP', mend: () => here.node.kill('ovsdb-server', 'SIGCONT'), reason: 'DatabaseSilent' },
  ] as const)('when ovsdb-server gets $signal, and every OpenFlow request hangs', async ({ signal, mend, reason }) => {
    await using mending = new AsyncDisposableStack();
    mending.defer(mend);
    await here.node.kill('ovsdb-server', signal);

    const told = await here.watch.until('unreachable', (status) => !isTrue(status, 'OVSDBConnected'));

    expect(conditionOf(told, 'OVSDBConnected')).toBe(`False/${reason}`);
    expect(isTrue(told, 'Ready')).toBe(false);
    // Of bonds ovs-vswitchd itself goes on to tell.
    expect(claims(told).filter((name) => !name.startsWith('bond'))).toEqual([]);
  });

  it('when a bridge goes and comes back', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => addAgain('br-ex'));
    await here.node.vsctl('del-br', 'br-ex');

    const told = await here.watch.until('without br-ex', (status) => bridge(status, 'br-ex') === undefined);

    expect(told.bridges?.map(({ name }) => name)).toContain('br-int');
    await mending.disposeAsync();
    await here.watch.until('with br-ex', (status) => bridge(status, 'br-ex')?.status === 'Active');
  });

  it('when a bridge has no datapath', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => removeBridge('br-odd'));
    // A type that this ovs-vswitchd does not have; it says so in its log, and the row stays.
    await here.node.vsctl('--no-wait', 'add-br', 'br-odd', '--', 'set', 'bridge', 'br-odd', 'datapath_type=nosuch');

    const told = await here.watch.until('unhealthy', (status) => !isTrue(status, 'AllBridgesHealthy'));

    expect(bridge(told, 'br-odd')).toMatchObject({ datapathType: 'nosuch', status: 'NoDatapath' });
    expect(isTrue(told, 'Ready')).toBe(false);
  });

  it('when the partner of a bond falls silent, and every link is still up', async () => {
    await using mending = new AsyncDisposableStack();
    mending.defer(() => setPartner('active'));
    await setPartner('off');

    const told = await here.watch.until('down', (status) => bond(status)?.activeMembers === 0);

    expect(await here.node.vsctl('get', 'interface', 'eno1', 'link_state')).toBe('up\n');
    expect(bond(told)).toMatchObject({ status: 'Down', members: 2, activeMembers: 0 });
    expect(isTrue(told, 'AllBondsHealthy')).toBe(false);
  });

  it('of a fault once, with the time at which it was found, until it is mended', async () => {
    here.watch.forget();
    await using mending = new AsyncDisposableStack();
    mending.defer(() => here.node.setLink('eno2', 'up'));
    await here.node.setLink('eno2', 'down');
    await here.watch.until('degraded', (status) => has(status, /BondUnhealthy: .*bond0/));

    await here.node.vsctl(...addBridge('br-new'));
    await here.watch.until('with br-new', (status) => bridge(status, 'br-new')?.status === 'Active');
    await removeBridge('br-new');
    await here.watch.until('without br-new', (status) => bridge(status, 'br-new') === undefined);

    const all = here.watch.history.map(({ issues: found = [] }) =>
      found.filter(({ message }) => /bond0 /.test(message)),
    );
    expect(Math.max(...all.map(({ length }) => length))).toBe(1);
    expect(new Set(all.flat().map(({ detectedAt }) => detectedAt)).size).toBe(1);
  });

  it('as soon as the API server is back, of all that happened while it was away', async () => {
    await using mending = new AsyncDisposableStack();
    await cluster.api.kill();
    mending.defer(() => here.node.setLink('eno2', 'up'));
    await here.node.setLink('eno2', 'down');
    mending.defer(() => removeBridge('br-new'));
    await here.node.vsctl(...addBridge('br-new'));
    await cluster.api.restart(AbortSignal.timeout(30_000));

    const told = await here.watch.until('all of it', (status) => bridge(status, 'br-new')?.status === 'Active');

    expect(bond(told)).toMatchObject({ status: 'Degraded', activeMembers: 1 });
  });

  it('to whom starts an agent where there are but files of daemons that were killed', async () => {
    await using node = await startOvsNode({ datapath: 'dummy', name: 'hv3' });
    await node.vsctl(...addBridge('br-int'));
    await node.kill('ovs-vswitchd');
    await node.kill('ovsdb-server');
    await using watch = new OvsNodeWatch(cluster.client, 'hv3');

    await using _agent = await startImpatientAgent(cluster, node);
    const told = await watch.until('told', (status) => conditionOf(status, 'Ready') !== 'undefined/undefined');
    await node.start('ovsdb-server');
    await node.start('ovs-vswitchd');

    expect(isTrue(told, 'Ready')).toBe(false);
    expect(isTrue(told, 'OVSDBConnected')).toBe(false);
    const mended = await watch.until('ready', (status) => isTrue(status, 'Ready'), MENDED_MS);
    expect(bridge(mended, 'br-int')).toMatchObject({ status: 'Active' });
  });

  it(
    'when a connection that flapped has come to rest',
    async () => {
      const calm = await overTcp.watch.until('healthy', isHealthy, CALM_MS);

      expect(calm.ovnController?.connected).toBe(true);
    },
    CALM_MS + MENDED_MS,
  );

  async function setRemote(remote: string): Promise<void> {
    await here.node.vsctl('set', 'open', '.', `external_ids:ovn-remote="${remote}"`);
  }

  async function setPartner(lacp: 'active' | 'off'): Promise<void> {
    await here.node.vsctl('set', 'port', 'bond0-far', `lacp=${lacp}`);
  }

  async function addAgain(name: string): Promise<void> {
    await here.node.vsctl(...addBridge(name));
  }

  async function removeBridge(name: string): Promise<void> {
    await here.node.vsctl('--if-exists', 'del-br', name);
  }
});

function isHealthy(status: OVSNodeStatus): boolean {
  return CONDITIONS.every((type) => isTrue(status, type)) && (status.issues ?? []).length === 0;
}

function isTrue(status: OVSNodeStatus, type: string): boolean {
  return conditionOf(status, type).startsWith('True/');
}

function has(status: OVSNodeStatus, words: RegExp): boolean {
  return words.test(issues(status));
}

function issues(status: OVSNodeStatus): string {
  return (status.issues ?? []).map(({ reason, message }) => `${reason}: ${message}`).join('\n');
}

/** What it claims to work, though nobody can know. */
function claims({ bridges = [], interfaces = {} }: OVSNodeStatus): readonly string[] {
  return [...bridges, ...(interfaces.physical ?? []), ...(interfaces.bonds ?? [])]
    .filter(({ status }) => status === 'Active' || status === 'Up')
    .map(({ name }) => name);
}

function bridge({ bridges = [] }: OVSNodeStatus, wanted: string): (typeof bridges)[number] | undefined {
  return bridges.find(({ name }) => name === wanted);
}

function bond({ interfaces }: OVSNodeStatus): NonNullable<NonNullable<typeof interfaces>['bonds']>[number] | undefined {
  return interfaces?.bonds?.find(({ name }) => name === 'bond0');
}
