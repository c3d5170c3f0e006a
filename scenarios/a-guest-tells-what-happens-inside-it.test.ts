import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { ConsoleLog, ensureGuestImage, guestDomainXml, startHost, type BedHost } from '@smalt/bed-libvirt';
import {
  connect,
  ConnectDomainEventAgentLifecycleReason,
  ConnectDomainEventAgentLifecycleState,
  DomainDeviceModifyFlags,
  DomainEventIoErrorAction,
  DomainEventPmSuspendedDetailType,
  DomainEventShutdownDetailType,
  DomainEventStartedDetailType,
  DomainEventStoppedDetailType,
  DomainEventSuspendedDetailType,
  DomainEventType,
  DomainEventWatchdogAction,
  isLibvirtError,
  NodeSuspendTarget,
  type Connection,
  type Domain,
} from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { askToShutDown } from './ask-to-shut-down.ts';
import { collectDomainEvents, type DomainEventCollector } from './collect-domain-events.ts';
import { withDevices } from './with-devices.ts';

const live = DomainDeviceModifyFlags.live;
const { connected, disconnected } = ConnectDomainEventAgentLifecycleState;
const moduleXml = '<memory model="dimm"><target><size unit="MiB">128</size><node>0</node></target></memory>';

// One guest, emulated and slow to boot, lives through all of it in this order.
describe('a guest tells', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let host: BedHost;
  let connection: Connection;
  let events: DomainEventCollector;
  let domain: Domain;
  let console: ConsoleLog;
  let small: string;

  beforeAll(async () => {
    host = owned.use(await startHost());
    small = join(host.network.storagePath, 'small');
    console = new ConsoleLog(join(host.network.storagePath, 'guest.log'));
    await makeSmallDisk(host, small);
    connection = owned.use(await connect(host.uri));
    events = owned.use(await collectDomainEvents(connection));
    domain = await connection.domainCreateXml({ xml: await guestXml(console, join(small, 'disk.raw')) });
  });

  afterAll(() => owned.disposeAsync());

  it('that its disk is full, and goes on when there is room', async () => {
    const error = {
      domain,
      sourcePath: join(small, 'disk.raw'),
      deviceAlias: 'virtio-disk0',
      action: DomainEventIoErrorAction.pause,
    };
    expect(await events.take('io-error')).toEqual({ kind: 'io-error', ...error });
    expect(await events.take('io-error-reason')).toEqual({ kind: 'io-error-reason', ...error, reason: 'enospc' });
    const stop = await events.take('lifecycle', ({ event }) => event === DomainEventType.suspended);
    expect(stop.detail).toBe(DomainEventSuspendedDetailType.ioerror);

    await host.exec(['mount', '-o', 'remount,size=64m', small]);
    await connection.domainResume({ domain });

    await console.waitFor(/wrote 0/);
  });

  it('that its clock was set', async () => {
    const { offset } = await events.take('rtc-change');

    const secondsTo2030 = (Date.UTC(2030, 0, 1) - Date.now()) / 1000;
    expect(Math.abs(Number(offset) - secondsTo2030)).toBeLessThan(60);
  });

  it('that its agent can be talked to', async () => {
    const { channel, domainStarted } = ConnectDomainEventAgentLifecycleReason;

    expect(await events.take('agent-lifecycle')).toMatchObject({ state: disconnected, reason: domainStarted });
    expect(await events.take('agent-lifecycle')).toMatchObject({ domain, state: connected, reason: channel });
  });

  it('that its watchdog barked', async () => {
    const action = DomainEventWatchdogAction.none;

    expect(await events.take('watchdog')).toEqual({ kind: 'watchdog', domain, action });
  });

  it('that it sleeps and wakes', async () => {
    await connection.domainPmSuspendForDuration({ domain, target: NodeSuspendTarget.mem, duration: 0n });
    expect(await events.take('pm-suspend')).toEqual({ kind: 'pm-suspend', domain, reason: 0 });
    const sleep = await events.take('lifecycle', ({ event }) => event === DomainEventType.pmSuspended);
    expect(sleep.detail).toBe(DomainEventPmSuspendedDetailType.memory);

    await connection.domainPmWakeup({ domain });
    expect(await events.take('pm-wakeup')).toEqual({ kind: 'pm-wakeup', domain, reason: 0 });
    const wake = await events.take(
      'lifecycle',
      ({ event, detail }) => event === DomainEventType.started && detail !== 0,
    );
    expect(wake.detail).toBe(DomainEventStartedDetailType.wakeup);
  });

  it('that it does not give memory back which it uses', async () => {
    await connection.domainAttachDeviceFlags({ domain, xml: moduleXml, flags: live });
    expect(await events.take('device-added')).toMatchObject({ domain, deviceAlias: 'memdimm0' });
    await console.waitFor(/onlined/, { timeoutMs: 20_000 });

    const refusal = await connection
      .domainDetachDeviceFlags({ domain, xml: moduleXml, flags: live })
      .catch((error: unknown) => error);

    expect(refusal).toSatisfy((error) => isLibvirtError(error, 'operation-failed'));
    const kind = 'device-removal-failed';
    expect(await events.take(kind)).toEqual({ kind, domain, deviceAlias: 'dimm0' });
  });

  it('that it took memory it was offered', async () => {
    const xml =
      '<memory model="virtio-mem"><target><size unit="MiB">256</size><node>0</node><block unit="MiB">2</block>' +
      '<requested unit="MiB">128</requested></target></memory>';

    await connection.domainAttachDeviceFlags({ domain, xml, flags: live });

    const kind = 'memory-device-size-change';
    expect(await events.take(kind)).toEqual({ kind, domain, alias: 'virtiomem0', size: 131_072n });
  });

  it('that its balloon grows', async () => {
    const wanted = 248n * 1024n;

    await connection.domainSetMemoryFlags({ domain, memory: wanted, flags: live });

    expect(await events.take('balloon-change', ({ actual }) => actual === wanted)).toMatchObject({ domain });
  });

  it('that it was asked to shut down, and did', async () => {
    await askToShutDown(connection, domain);

    const shutdown = await events.take('lifecycle', ({ event }) => event === DomainEventType.shutdown);
    expect(shutdown.detail).toBe(DomainEventShutdownDetailType.guest);
    const stopped = await events.take('lifecycle', ({ event }) => event === DomainEventType.stopped);
    expect(stopped.detail).toBe(DomainEventStoppedDetailType.shutdown);
  });
});

/** A disk that is bigger than the file system it lies on. */
async function makeSmallDisk(host: BedHost, directory: string): Promise<void> {
  await mkdir(directory);
  await host.exec(['mount', '-t', 'tmpfs', '-o', 'size=512k,mode=777', 'small', directory]);
  await host.exec(['truncate', '--size=16M', join(directory, 'disk.raw')]);
  await host.exec(['chmod', '666', join(directory, 'disk.raw')]);
}

async function guestXml(console: ConsoleLog, diskPath: string): Promise<string> {
  const xml = guestDomainXml({
    name: 'guest',
    image: await ensureGuestImage(),
    words: ['rtc', 'wblk', 'watchdog', 'online'],
    console: { file: console.path },
  });
  const disk =
    '<disk type="file" device="disk"><driver name="qemu" type="raw" cache="none" error_policy="stop"/>' +
    `<source file="${diskPath}"/><target dev="vda" bus="virtio"/></disk>`;
  return withRoomForMemory(withDevices(xml, disk, '<watchdog model="i6300esb" action="none"/>'));
}

/** Memory can be plugged in only where there are slots for it, in cells that are named. */
function withRoomForMemory(xml: string): string {
  const cell = '<numa><cell id="0" cpus="0" memory="128" unit="MiB"/></numa>';
  return xml
    .replace('<memory', '<maxMemory slots="4" unit="MiB">1024</maxMemory><memory')
    .replace('</cpu>', `${cell}</cpu>`);
}
