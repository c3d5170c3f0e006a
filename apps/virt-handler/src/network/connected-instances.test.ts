import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startHost, type BedHost } from '@smalt/bed-libvirt';
import { startOvsNode, type OvsNode } from '@smalt/bed-ovs';
import { printDomain } from '@smalt/domain-xml';
import { findHypervisor } from '@smalt/hypervisors';
import { connect } from '@smalt/libvirt';
import { createLogger } from '@smalt/service-runtime';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createInstanceNetworks } from './create-instance-networks.ts';
import { anInstance } from './fixtures/an-instance.ts';
import { deviceOf } from './nat/guard-rules.ts';
import { macOf, ovsInterfaceIdOf, type InterfaceIdentity } from './interface-identity.ts';
import type { ConnectedNetwork, NodeNetworks } from './network-plugin.ts';
import { defaultNetworkSettings, type NetworkSettings } from './network-settings.ts';

const START_PAUSED = 1;
const signal = AbortSignal.timeout(120_000);
const networks = [
  { name: 'default', pod: {} },
  { name: 'blue', multus: { networkName: 'blue' } },
  { name: 'red', multus: { networkName: 'red' } },
];
const interfaces = [
  { name: 'default', masquerade: {} },
  { name: 'blue', bridge: {} },
  { name: 'red', bridge: {} },
];
const owned = new AsyncDisposableStack();
let ovs: OvsNode;
let host: BedHost;
let directory: string;

beforeAll(async () => {
  ovs = owned.use(await startOvsNode({ datapath: 'dummy' }));
  await ovs.vsctl('add-br', 'br-int');
  // libvirt finds Open vSwitch by the place of its database alone.
  host = owned.use(await startHost({ bindMounts: [{ source: ovs.runDirectory, target: '/run/openvswitch' }] }));
  await host.exec(['ip', 'link', 'add', 'br-blue', 'type', 'bridge']);
  // Devices of that datapath are faked, and libvirt looks at the one that is named as the bridge.
  await host.exec(['ip', 'link', 'add', 'br-int', 'type', 'veth', 'peer', 'name', 'br-int-peer']);
  directory = await mkdtemp(join(tmpdir(), 'smalt-connected-'));
  await chmod(directory, 0o711);
  owned.defer(() => rm(directory, { recursive: true, force: true }));
  owned.defer(() => openNetworks().sweep([], signal));
});

afterAll(async () => {
  await owned.disposeAsync();
});

describe('the interfaces of an instance', () => {
  it('are where its networks lead once libvirt has started it', async () => {
    const instance = anInstance('web', { networks, interfaces });
    const connected = await openNetworks().connect(instance, signal);

    await startPaused(instance, connected);

    const ids = await ovs.vsctl('--bare', '--columns=external_ids', 'find', 'Interface', 'external_ids:iface-id!=""');
    const port = (await ovs.vsctl('list-ports', 'br-int')).trim();
    expect(connected.map(({ addresses }) => addresses.length)).toEqual([1, 0, 0]);
    expect(await linksOf('smalt0')).toContain(macOf(inWeb('default')).slice(3));
    // The rules against hostile guests know it by this name.
    expect(await linksOf('smalt0')).toContain(` ${deviceOf('smalt0', inWeb('default'))}:`);
    expect(await linksOf('br-blue')).toContain(macOf(inWeb('blue')).slice(3));
    expect(ids).toContain(`iface-id=${ovsInterfaceIdOf(inWeb('red'))}`);
    expect(ids).toContain(`attached-mac=${macOf(inWeb('red'))}`);
    expect((await ovs.vsctl('get', 'Port', port, 'tag')).trim()).toBe('120');
  });

  it('leave no port of Open vSwitch behind when the node lost its power under them', async () => {
    const instance = anInstance('victim', { networks: networks.slice(2), interfaces: interfaces.slice(2) });
    const [connected] = await openNetworks().connect(instance, signal);
    const id = connected?.domain.kind === 'bridge' ? connected.domain.ovsInterfaceId : undefined;
    await ovs.vsctl('add-port', 'br-int', 'vnet77', '--', 'set', 'Interface', 'vnet77', `external_ids:iface-id=${id}`);
    await ovs.vsctl('add-port', 'br-int', 'other');

    await openNetworks().disconnect(instance, signal);

    const ports = (await ovs.vsctl('list-ports', 'br-int')).split('\n');
    expect(ports).not.toContain('vnet77');
    expect(ports).toContain('other');
  });

  it.each([
    [{ networks: { blue: 'bridge:br-none' } }, 'spec.networks[1]: the bridge br-none is not there on this node'],
    [{ networks: { blue: 'bridge:eth0' } }, 'the bridge eth0 is an interface of this node, but no bridge'],
    [{ networks: { blue: 'ovs:br-none' } }, 'spec.networks[1]: Open vSwitch of this node has no bridge br-none'],
    [
      { networks: { blue: 'ovs:br-int' }, ovsDatabase: 'unix:/nowhere/db.sock' },
      'Open vSwitch of this node, at unix:/nowhere/db.sock, could not be asked',
    ],
  ])('are refused with what is missing: %o', async (settings, message) => {
    const instance = anInstance('lost', { networks: networks.slice(0, 2), interfaces: interfaces.slice(0, 2) });

    await expect(openNetworks(settings).connect(instance, signal)).rejects.toMatchObject({
      code: 'network-failed',
      message: expect.stringContaining(message),
    });
  });

  it('of a mock are connected to nothing', async () => {
    const instance = anInstance('mock', { hypervisor: 'test', networks, interfaces });

    const connected = await openNetworks({ networks: {} }).connect(instance, signal);

    expect(connected.map(({ domain, addresses }) => [domain.name, addresses])).toEqual([
      ['default', []],
      ['blue', []],
      ['red', []],
    ]);
  });

  it('have hardware addresses that nobody foretells without the seed of their instance', async () => {
    const { metadata, ...rest } = anInstance('web', { hypervisor: 'test' });
    const seeded = { ...rest, metadata: { ...metadata, annotations: { 'smalt.dev/mac-seed': 'a seed' } } };

    const [connected] = await openNetworks().connect(seeded, signal);
    const [older] = await openNetworks().connect({ ...rest, metadata }, signal);

    expect(connected?.domain.mac).toBe(macOf(inWeb('default'), 'a seed'));
    expect(older?.domain.mac).toBe(macOf(inWeb('default')));
  });

  it('need a network in the spec, unless they are unplugged', async () => {
    const unplugged = anInstance('a', { interfaces: [{ name: 'x', bridge: {}, state: 'absent' }], networks: [] });
    const loose = anInstance('b', { interfaces: [{ name: 'x', bridge: {} }], networks: [] });

    expect(await openNetworks().connect(unplugged, signal)).toEqual([]);
    await expect(openNetworks().connect(loose, signal)).rejects.toMatchObject({
      code: 'unknown-network',
      field: 'spec.domain.devices.interfaces[0].name',
    });
  });
});

function inWeb(network: string): InterfaceIdentity {
  return { namespace: 'shop', instance: 'web', network };
}

async function linksOf(bridge: string): Promise<string> {
  return await host.exec(['ip', '-oneline', 'link', 'show', 'master', bridge]);
}

function openNetworks(settings: Partial<NetworkSettings> = {}): NodeNetworks {
  const known = { blue: 'bridge:br-blue', red: 'ovs:br-int:120' };
  const ovsDatabase = `unix:${ovs.databaseSocket}`;
  return createInstanceNetworks({
    devices: { give: () => Promise.reject(new Error('this node has no cards to give')) },
    settings: { ...defaultNetworkSettings, networks: known, ovsDatabase, ...settings },
    stateDirectory: directory,
    networkNamespace: `/proc/${host.daemon.namespacePid}/ns/net`,
    logger: createLogger({ name: 'test', destination: { write: () => undefined } }),
    ignore: () => undefined,
  });
}

async function startPaused(instance: VirtualMachineInstance, connected: readonly ConnectedNetwork[]): Promise<void> {
  const xml = printDomain(findHypervisor('qemu'), small(instance), {
    volumes: [],
    networks: connected.map(({ domain }) => domain),
    hostDevices: [],
    firmware: [],
    node: { cells: [] },
    paths: {},
    machineLabel: { manufacturer: 'Smalt', family: 'Smalt', product: 'Virtual machine' },
  });
  await using connection = await connect(`qemu+unix:///system?socket=${host.socketPath}`);
  await connection.domainCreateXml({ xml, flags: START_PAUSED });
}

function small(instance: VirtualMachineInstance): VirtualMachineInstance {
  const { devices } = instance.spec.domain;
  const domain = {
    machine: { type: 'q35' },
    memory: { guest: '32Mi' },
    devices: { ...devices, autoattachGraphicsDevice: false, autoattachSerialConsole: false },
  };
  return { ...instance, spec: { ...instance.spec, architecture: 'amd64', domain } };
}
