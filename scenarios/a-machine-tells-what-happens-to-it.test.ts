import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';

import { biosDomainXml, startHost, type BedHost } from '@smalt/bed-libvirt';
import {
  connect,
  ConnectDomainEventBlockJobStatus,
  ConnectDomainEventDiskChangeReason,
  DomainBlockCopyFlags,
  DomainBlockJobAbortFlags,
  DomainBlockJobType,
  DomainDeviceModifyFlags,
  DomainEventGraphicsAddressType,
  DomainEventGraphicsPhase,
  DomainEventTrayChangeReason,
  DomainEventType,
  DomainMemoryFailureActionType,
  DomainMemoryFailureRecipientType,
  DomainMetadataType,
  DomainModificationImpact,
  isLibvirtError,
  type Connection,
  type Domain,
} from '@smalt/libvirt';
import { attribute, parseXml, requireElement } from '@smalt/xml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { collectDomainEvents, type DomainEventCollector } from './collect-domain-events.ts';
import { withDevices } from './with-devices.ts';

const HUMAN_COMMAND = 1;
const live = DomainDeviceModifyFlags.live;

describe('a machine tells', () => {
  const owned = new AsyncDisposableStack();
  let host: BedHost;
  let connection: Connection;
  let events: DomainEventCollector;
  let domain: Domain;
  let storage: string;

  beforeAll(async () => {
    host = owned.use(await startHost());
    storage = host.network.storagePath;
    await makeFiles(host, ['disk.raw', 'extra.raw', 'copy.raw', 'medium.iso']);
    connection = owned.use(await connect(host.uri));
    events = owned.use(await collectDomainEvents(connection));
    const xml = withDevices(
      biosDomainXml({ name: 'machine' }),
      diskXml(join(storage, 'disk.raw'), 'vda', 'virtio'),
      mediumXml(`<source file="${join(storage, 'missing.iso')}" startupPolicy="optional"/>`),
      '<controller type="scsi" model="virtio-scsi"/>',
      '<graphics type="vnc" autoport="yes" listen="0.0.0.0"/>',
      '<video><model type="vga"/></video>',
    );
    await connection.domainCreate({ domain: await connection.domainDefineXml({ xml }) });
    domain = await connection.domainLookupByName({ name: 'machine' });
  });

  afterAll(() => owned.disposeAsync());

  it('of its life', async () => {
    await connection.domainSuspend({ domain });
    await connection.domainResume({ domain });

    const { defined, resumed, started, suspended } = DomainEventType;
    for (const event of [defined, resumed, started, suspended, resumed]) {
      expect(await events.take('lifecycle')).toMatchObject({ event, domain: { name: 'machine', uuid: domain.uuid } });
    }
  });

  it('that it was started without a medium that was missing', async () => {
    expect(await events.take('disk-change')).toMatchObject({
      domain,
      oldSourcePath: join(storage, 'missing.iso'),
      newSourcePath: undefined,
      deviceAlias: 'ide0-0-0',
      reason: ConnectDomainEventDiskChangeReason.changeMissingOnStart,
    });
  });

  it('that a tray opens and closes', async () => {
    const xml = mediumXml(`<source file="${join(storage, 'medium.iso')}"/>`);

    // The firmware resets the drive while it starts, which closes the tray without a word.
    await connection.domainSuspend({ domain });
    await connection.domainUpdateDeviceFlags({ domain, xml, flags: live });
    await connection.domainResume({ domain });

    const { open, close } = DomainEventTrayChangeReason;
    for (const reason of [open, close]) {
      expect(await events.take('tray-change')).toEqual({
        kind: 'tray-change',
        domain,
        deviceAlias: 'ide0-0-0',
        reason,
      });
    }
  });

  it('that a device came and went', async () => {
    const xml = diskXml(join(storage, 'extra.raw'), 'sda', 'scsi');

    await connection.domainAttachDeviceFlags({ domain, xml, flags: live });
    await connection.domainDetachDeviceFlags({ domain, xml, flags: live });

    const deviceAlias = 'scsi0-0-0-0';
    expect(await events.take('device-added')).toEqual({ kind: 'device-added', domain, deviceAlias });
    expect(await events.take('device-removed')).toEqual({ kind: 'device-removed', domain, deviceAlias });
  });

  it('that a disk was throttled', async () => {
    const flags = DomainModificationImpact.live;

    await connection.domainSetBlockIoTune({ domain, disk: 'vda', params: { total_iops_sec: 1000n }, flags });

    const params = { 'blkdeviotune.disk': 'vda', 'blkdeviotune.total_iops_sec': 1000n };
    expect(await events.take('tunable')).toEqual({ kind: 'tunable', domain, params });
  });

  it('that somebody wrote something about it', async () => {
    const { title, element: type } = DomainMetadataType;
    const flags = DomainModificationImpact.live;
    const uri = 'urn:example:owner';

    await connection.domainSetMetadata({ domain, type: title, metadata: 'Web', flags });
    await connection.domainSetMetadata({ domain, type, metadata: '<owner/>', key: 'example', uri, flags });

    const kind = 'metadata-change';
    expect(await events.take(kind)).toEqual({ kind, domain, type: title, namespaceUri: undefined });
    expect(await events.take(kind)).toEqual({ kind, domain, type, namespaceUri: uri });
  });

  it('that a disk was written beyond a threshold', async () => {
    await connection.domainSetBlockThreshold({ domain, device: 'vda', threshold: 4096n });
    await monitor('qemu-io -d /machine/peripheral/virtio-disk0/virtio-backend "write 0 64k"');

    expect(await events.take('block-threshold')).toEqual({
      kind: 'block-threshold',
      domain,
      device: 'vda',
      path: join(storage, 'disk.raw'),
      threshold: 4096n,
      excess: 61_440n,
    });
  });

  it('that a disk is copied, by its path and by its name', async () => {
    const { ready, completed } = ConnectDomainEventBlockJobStatus;
    const { reuseExt, transientJob } = DomainBlockCopyFlags;
    const [from, to] = [join(storage, 'disk.raw'), join(storage, 'copy.raw')];
    const destinationXml = `<disk type="file"><driver type="raw"/><source file="${to}"/></disk>`;
    const type = DomainBlockJobType.copy;

    await connection.domainBlockCopy({
      domain,
      path: 'vda',
      destinationXml,
      params: {},
      flags: reuseExt | transientJob,
    });

    expect(await events.take('block-job')).toEqual({ kind: 'block-job', domain, path: from, type, status: ready });
    expect(await events.take('block-job-2')).toEqual({ kind: 'block-job-2', domain, disk: 'vda', type, status: ready });

    await connection.domainBlockJobAbort({ domain, path: 'vda', flags: DomainBlockJobAbortFlags.pivot });

    expect(await events.take('block-job')).toMatchObject({ path: to, type, status: completed });
    expect(await events.take('block-job-2')).toMatchObject({ disk: 'vda', type, status: completed });
  });

  it('that somebody looked at its screen', async () => {
    const graphics = requireElement(parseXml(await connection.domainGetXmlDesc({ domain })).root, 'devices/graphics');
    const port = attribute(graphics, 'port') ?? '';

    await lookAtScreen(host.address, Number(port));

    const { connect: connected, initialize, disconnect } = DomainEventGraphicsPhase;
    for (const phase of [connected, initialize, disconnect]) {
      expect(await events.take('graphics')).toMatchObject({
        domain,
        phase,
        local: { family: DomainEventGraphicsAddressType.ipv4, service: port },
        remote: { family: DomainEventGraphicsAddressType.ipv4, node: host.network.address },
        authScheme: 'none',
        subject: [],
      });
    }
  });

  it('that it was reset', async () => {
    await connection.domainReset({ domain });

    expect(await events.take('reboot')).toEqual({ kind: 'reboot', domain });
  });

  it('that its memory failed', async () => {
    // An uncorrected error in a bank of CPU 0, before any system has said that it could handle one.
    await monitor('mce 0 0 0xb200000000000000 0 0 0');

    expect(await events.take('memory-failure')).toEqual({
      kind: 'memory-failure',
      domain,
      recipient: DomainMemoryFailureRecipientType.guest,
      action: DomainMemoryFailureActionType.reset,
      flags: 0,
    });
  });

  it('that libvirt lost control of it', { timeout: 60_000 }, async () => {
    // libvirt gives up on a monitor that answers more than 10 MiB at once.
    const failure = await monitor('xp /370000xg 0').catch((error: unknown) => error);

    expect(failure).toSatisfy((error) => isLibvirtError(error, 'internal-error'));
    expect(await events.take('control-error')).toEqual({ kind: 'control-error', domain });
  });

  it('nothing of kinds that its daemon is too old for', () => {
    expect(events.skipped).toContain('channel-lifecycle');
  });

  function monitor(command: string): Promise<string> {
    return connection.qemuDomainMonitorCommand({ domain, command, flags: HUMAN_COMMAND });
  }
});

async function makeFiles(host: BedHost, names: readonly string[]): Promise<void> {
  const paths = names.map((name) => join(host.network.storagePath, name));
  await host.exec(['truncate', '--size=1M', ...paths]);
  await host.exec(['chmod', '666', ...paths]);
}

function diskXml(path: string, target: string, bus: string): string {
  return (
    '<disk type="file" device="disk"><driver name="qemu" type="raw" cache="none"/>' +
    `<source file="${path}"/><target dev="${target}" bus="${bus}"/></disk>`
  );
}

function mediumXml(source: string): string {
  return (
    '<disk type="file" device="cdrom"><driver name="qemu" type="raw"/>' +
    `${source}<target dev="hda" bus="ide"/><readonly/></disk>`
  );
}

/** The beginning of RFB, RFC 6143: versions, no authentication, a shared screen. */
async function lookAtScreen(address: string, port: number): Promise<void> {
  const socket = connectSocket(port, address);
  for (const answer of ['RFB 003.008\n', '\u0001', '\u0001']) {
    await once(socket, 'data');
    socket.write(answer);
  }
  await once(socket, 'data');
  socket.destroy();
}
