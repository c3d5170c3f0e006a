import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  biosDomainXml,
  ConsoleLog,
  ensureGuestImage,
  guestDomainXml,
  startHost,
  type BedHost,
} from '@smalt/bed-libvirt';
import type { TelemetryRecord } from '@smalt/ha-telemetry';
import { connect, NodeSuspendTarget, type Connection, type Domain } from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { askToShutDown } from './ask-to-shut-down.ts';
import { HaReceiver } from './ha-receiver.ts';
import { makeAuthority, makeNodeCertificate } from './make-node-certificate.ts';
import { runHaAgent, type RunningHaAgent } from './run-ha-agent.ts';
import { withDevices } from './with-devices.ts';

const HUMAN_COMMAND = 1;
const PANIC_PORT = '0x505';

// One machine without a system and one guest, emulated and slow to boot, live through all of it in this order.
describe('the HA agent tells its service', { timeout: 90_000 }, () => {
  const owned = new AsyncDisposableStack();
  let host: BedHost;
  let connection: Connection;
  let receiver: HaReceiver;
  let agent: RunningHaAgent;
  let machine: Domain;
  let guest: Domain;
  let console: ConsoleLog;
  let small: string;
  const counts = new Map<string, number>();
  const lives = new Map<string, number>();

  beforeAll(async () => {
    const keys = await mkdtemp(join(tmpdir(), 'ha-keys-'));
    owned.defer(() => rm(keys, { recursive: true }));
    makeAuthority(keys);
    makeNodeCertificate(keys, 'service');
    makeNodeCertificate(keys, 'n1');
    const read = (name: string): string => readFileSync(join(keys, name), 'utf8');
    const tls = { certificate: read('service.pem'), key: read('service-key.pem'), authority: read('ca.pem') };
    receiver = owned.use(await new HaReceiver({ tls }).start());
    host = owned.use(await startHost());
    connection = owned.use(await connect(host.uri));
    const identity = {
      kind: 'certificate',
      certificateFile: join(keys, 'n1.pem'),
      keyFile: join(keys, 'n1-key.pem'),
    } as const;
    const service = { url: receiver.url, identity, authorityFile: join(keys, 'ca.pem') };
    agent = owned.use(await runHaAgent({ uri: host.uri, settings: { service } }));
    small = join(host.network.storagePath, 'small');
    await makeSmallDisk(host, small);
    console = new ConsoleLog(join(host.network.storagePath, 'guest.log'));
    guest = await connection.domainCreateXml({ xml: await guestXml(console, join(small, 'disk.raw')) });
    machine = await connection.domainDefineXml({ xml: machineXml() });
  });

  afterAll(() => owned.disposeAsync());

  it('that it is there, for how long the host is up, and what there is', async () => {
    await expect(next('missed')).resolves.toMatchObject({ reason: 'agent-started' });
    const uptime = await receiver.record(isWithLibvirt, 'an uptime');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    expect(uptime).toMatchObject({ bootId, uptimeSeconds: expect.any(Number) });
    await receiver.record(({ kind }) => kind === 'instances', 'the instances');
  });

  it('the life of a machine', async () => {
    await connection.domainCreate({ domain: machine });
    machine = await connection.domainLookupByName({ name: 'machine' });
    await connection.domainSuspend({ domain: machine });
    await connection.domainResume({ domain: machine });
    const path = join(host.network.storagePath, 'machine.save');
    await connection.domainSave({ domain: machine, to: path });
    await connection.domainRestore({ from: path });

    for (const words of [
      'defined/added',
      'started/booted',
      'suspended/paused',
      'resumed/unpaused',
      'stopped/saved',
      'started/restored',
    ]) {
      expect(await life('machine', words)).toMatchObject({ domain: { name: 'machine', uuid: machine.uuid } });
    }
  });

  it('that it was reset', async () => {
    machine = await connection.domainLookupByName({ name: 'machine' });
    await connection.domainReset({ domain: machine });

    expect(await next('reboot')).toMatchObject({ domain: { name: 'machine', uuid: machine.uuid, id: machine.id } });
  });

  it('that its memory failed', async () => {
    // An uncorrected error in a bank of CPU 0, before any system has said that it could handle one.
    await monitor('mce 0 0 0xb200000000000000 0 0 0');

    expect(await next('memory-failure')).toMatchObject({ recipient: 'guest', action: 'reset', flags: [] });
  });

  it('that its system panicked', async () => {
    await monitor(`o /b ${PANIC_PORT} 1`);

    expect(await life('machine', 'crashed/panicked')).toMatchObject({ domain: { name: 'machine' } });
    await connection.domainDestroy({ domain: machine });
    await life('machine', 'stopped/destroyed');
  });

  it('that its process was killed', async () => {
    await connection.domainCreate({ domain: machine });
    await life('machine', 'started/booted');
    await host.exec(['sh', '-c', 'kill -9 $(cat /run/libvirt/qemu/machine.pid)']);

    expect(await life('machine', 'stopped/failed')).toMatchObject({ domain: { name: 'machine' } });
  });

  it('that the disk of a guest is full, that it stopped, and that it goes on', async () => {
    expect(await next('io-error')).toMatchObject({
      domain: { name: 'guest', uuid: guest.uuid },
      path: join(small, 'disk.raw'),
      device: 'virtio-disk0',
      action: 'pause',
      reason: 'enospc',
    });
    await life('guest', 'suspended/ioerror');
    await host.exec(['mount', '-o', 'remount,size=64m', small]);
    await connection.domainResume({ domain: guest });
    await life('guest', 'resumed/unpaused');
  });

  it('that the agent in a guest came', async () => {
    const matches = { domain: { uuid: guest.uuid } };
    expect(await next('agent-lifecycle')).toMatchObject({
      ...matches,
      state: 'disconnected',
      reason: 'domain-started',
    });
    expect(await next('agent-lifecycle')).toMatchObject({ ...matches, state: 'connected', reason: 'channel' });
  });

  it('that the watchdog of a guest barked', async () => {
    expect(await next('watchdog')).toMatchObject({ domain: { uuid: guest.uuid }, action: 'none' });
  });

  it('that a guest sleeps, wakes, and shuts down', async () => {
    await connection.domainPmSuspendForDuration({ domain: guest, target: NodeSuspendTarget.mem, duration: 0n });
    await life('guest', 'pm-suspended/memory');
    await connection.domainPmWakeup({ domain: guest });
    const { sequence } = await life('guest', 'started/wakeup');
    // A guest that has just been woken does not hear the button yet.
    await receiver.record(
      (record) => record.kind === 'agent-lifecycle' && record.state === 'connected' && record.sequence > sequence,
      'the agent after the sleep',
    );
    await askToShutDown(connection, guest);

    expect(await life('guest', 'shutdown/guest')).toMatchObject({ domain: { uuid: guest.uuid } });
    expect(await life('guest', 'stopped/shutdown')).toMatchObject({ domain: { uuid: guest.uuid } });
  });

  it('that libvirt lost control of a machine', async () => {
    await connection.domainCreate({ domain: machine });
    machine = await connection.domainLookupByName({ name: 'machine' });
    // libvirt gives up on a monitor that answers more than 10 MiB at once.
    const failure = await monitor('xp /370000xg 0').catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(Error);
    expect(await next('control-error')).toMatchObject({ domain: { name: 'machine', uuid: machine.uuid } });
  });

  it('each once, in order, and none that the contract forbids', () => {
    const numbers = receiver.records.map(({ sequence }) => sequence);

    expect(receiver.complaints).toEqual([]);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(agent.conditions.at(-1)).toBe('True/Reporting');
    const reasons = new Set(agent.notices.map(({ reason }) => reason));
    expect(reasons).toEqual(
      new Set(['DomainWatchdog', 'DomainIoError', 'DomainControlError', 'DomainMemoryFailure', 'DomainCrashed']),
    );
  });

  it('soon after it happened', async () => {
    const domain = await connection.domainDefineXml({ xml: biosDomainXml({ name: 'late' }) });
    await life('late', 'defined/added');
    const before = performance.now();
    await connection.domainUndefine({ domain });
    await life('late', 'undefined/removed');

    expect(performance.now() - before).toBeLessThan(500);
  });

  /** The next record of this kind after those that were asked for before. */
  async function next(kind: TelemetryRecord['kind']): Promise<TelemetryRecord> {
    const seen = counts.get(kind) ?? 0;
    counts.set(kind, seen + 1);
    const those = (): readonly TelemetryRecord[] => receiver.records.filter((record) => record.kind === kind);
    await receiver.until(() => those().length > seen, `${kind} number ${seen + 1}`);
    const found = those()[seen];
    if (found === undefined) throw new Error(`no ${kind}`);
    return found;
  }

  /** The next such moment in the life of a domain, after the last one that was asked for of the same domain. */
  async function life(name: string, words: string): Promise<TelemetryRecord> {
    const after = lives.get(name) ?? 0;
    const isIt = (record: TelemetryRecord): boolean =>
      record.kind === 'lifecycle' &&
      record.sequence > after &&
      record.domain.name === name &&
      `${record.event}/${record.detail}` === words;
    const found = await receiver.record(isIt, `${words} of ${name}`);
    lives.set(name, found.sequence);
    return found;
  }

  function monitor(command: string): Promise<string> {
    return connection.qemuDomainMonitorCommand({ domain: machine, command, flags: HUMAN_COMMAND });
  }
});

/** A disk that is bigger than the file system it lies on. */
async function makeSmallDisk(host: BedHost, directory: string): Promise<void> {
  await mkdir(directory);
  await host.exec(['mount', '-t', 'tmpfs', '-o', 'size=512k,mode=777', 'small', directory]);
  await host.exec(['truncate', '--size=16M', join(directory, 'disk.raw')]);
  await host.exec(['chmod', '666', join(directory, 'disk.raw')]);
}

async function guestXml(console: ConsoleLog, diskPath: string): Promise<string> {
  const image = await ensureGuestImage();
  const xml = guestDomainXml({ name: 'guest', image, words: ['wblk', 'watchdog'], console: { file: console.path } });
  const disk =
    '<disk type="file" device="disk"><driver name="qemu" type="raw" cache="none" error_policy="stop"/>' +
    `<source file="${diskPath}"/><target dev="vda" bus="virtio"/></disk>`;
  return withDevices(xml, disk, '<watchdog model="i6300esb" action="none"/>');
}

function machineXml(): string {
  return withDevices(biosDomainXml({ name: 'machine' }), '<panic model="isa"/>').replace(
    '<devices>',
    '<on_crash>preserve</on_crash><devices>',
  );
}

function isWithLibvirt(record: TelemetryRecord): boolean {
  return record.kind === 'uptime' && record.libvirt === 'connected';
}
