import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ConsoleLog, startHost, type BedHost } from '@smalt/bed-libvirt';
import { systemClock } from '@smalt/controller-runtime';
import { findDevice } from '@smalt/domain-xml';
import { connect, DomainDeviceModifyFlags as Modify, type Connection, type Domain } from '@smalt/libvirt';
import { openCgroups, openSandboxes, type Cgroups, type PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance, VirtualMachineInstanceSpec, VolumeStatus } from '@smalt/vm-api';
import { parseXml, printXml, type XmlElement } from '@smalt/xml';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { createInstanceVolumes } from '../storage/create-instance-volumes.ts';
import { bareMachine, driversOf, kernelVolume, qemuGuest } from './fixtures/qemu-guest.ts';
import type { Sandboxes } from './sandboxes.ts';
import { SyncBed, type RunningHandler } from './fixtures/sync-bed.ts';

const POD_CGROUP = `/smalt-sync-test-${process.pid}`;
const ROOT_DISK = { name: 'root', disk: { bus: 'virtio' } };
const ROOT_VOLUME = { name: 'root', emptyDisk: { capacity: '16Mi' } };
const GUEST_CGROUP = `${POD_CGROUP}/guest`;

let host: BedHost;
let libvirt: Connection;
let bed: SyncBed;

beforeAll(async () => {
  host = await startHost();
  libvirt = await connect(host.uri);
  bed = await SyncBed.start(driversOf(host));
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await libvirt[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
}, 60_000);

describe('a Linux in QEMU', () => {
  let handler: RunningHandler;
  let cgroups: Cgroups;
  let console: ConsoleLog;
  let directory: string;

  beforeAll(async () => {
    cgroups = await openCgroups();
    await cgroups.make({ path: POD_CGROUP, limits: {}, leaves: ['guest'] });
    handler = await startHandler();
    const spec = qemuGuest('tick online', {
      cpu: { model: 'qemu64', sockets: 1, maxSockets: 2 },
      memory: { guest: '128Mi', maxGuest: '256Mi' },
      devices: { autoattachGraphicsDevice: false, logSerialConsole: true, disks: [ROOT_DISK] },
    });
    const claim = join(host.network.storagePath, 'claim');
    await mkdir(claim);
    await writeFile(join(claim, 'disk.img'), Buffer.alloc(1_048_576));
    const extra = { kind: 'directory', path: claim } as const;
    bed.node.pods.set('holder-1', {
      ...pod('holder', ''),
      podUid: 'holder-1',
      guestCgroup: undefined,
      volumes: { extra },
    });
    const { metadata } = await bed.place('linux', {
      spec: { ...spec, volumes: [ROOT_VOLUME] },
      pod: { ...pod('linux', GUEST_CGROUP), volumes: await kernelVolume(host.network.storagePath) },
    });
    directory = handler.sync.directories.pathOf({ metadata });
    console = new ConsoleLog(join(directory, 'serial.log'));
  });

  afterAll(async () => {
    await handler[Symbol.asyncDispose]();
    await cgroups.remove(POD_CGROUP);
  });

  it('runs in the cgroup of its pod', async () => {
    await bed.untilPhase('linux', 'Running');
    const [processId] = await cgroups.processIds(GUEST_CGROUP);

    expect(await readFile(`/proc/${processId}/cmdline`, 'utf8')).toContain('guest=default_linux');
  }, 60_000);

  it('shows what its agent tells', async () => {
    const { status } = await bed.until('linux', (linux) => linux.status?.guestOSInfo !== undefined);

    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'AgentConnected', status: 'True' }));
    expect(status?.guestOSInfo).toMatchObject({ machine: 'x86_64' });
  }, 60_000);

  it('runs on when libvirtd is killed, which is told, and is found again when that is back', async () => {
    const { id } = await domainOf('linux');

    host.daemon.kill('SIGKILL');
    const away = await bed.until('linux', (linux) => messageOf(linux, 'Synchronized') !== undefined);
    await host.daemon.restart();
    const back = await bed.until('linux', (linux) => messageOf(linux, 'Synchronized') === undefined);
    libvirt = await connect(host.uri);

    expect(messageOf(away, 'Synchronized')).toMatch(/^libvirt on the node node-1 does not answer/);
    expect([away, back].map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
    expect((await domainOf('linux')).id).toBe(id);
  }, 60_000);

  it('gets a disk while it runs, and lets go of it and of no other', async () => {
    const disks = [ROOT_DISK, { name: 'extra', disk: { bus: 'scsi' } }];
    const volumes = [ROOT_VOLUME, { name: 'extra', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }];
    const change = { spec: { volumes, domain: { devices: { disks } } } };

    await bed.instances.patch('linux', 'merge', change, { namespace: 'default' });
    const awaited = await bed.until(
      'linux',
      (linux) => volumeOf(linux)?.message?.includes('not on the node yet') === true,
    );
    const held = { name: 'extra', target: '', hotplugVolume: { attachPodName: 'holder', attachPodUID: 'holder-1' } };
    const others = (awaited.status?.volumeStatus ?? []).filter(({ name }) => name !== 'extra');
    await bed.instances.patch(
      'linux',
      'merge',
      { status: { volumeStatus: [held, ...others] } },
      { namespace: 'default' },
    );
    const plugged = await bed.until('linux', (linux) => volumeOf(linux)?.phase === 'Ready');
    await bed.instances.patch(
      'linux',
      'merge',
      { spec: { volumes: [ROOT_VOLUME], domain: { devices: { disks: [ROOT_DISK] } } } },
      { namespace: 'default' },
    );
    const unplugged = await bed.until('linux', (linux) => volumeOf(linux) === undefined);

    expect(volumeOf(plugged)).toMatchObject({ target: 'sda', hotplugVolume: { attachPodUID: 'holder-1' } });
    expect(unplugged.status?.phase).toBe('Running');
    await soon(async () => expect(await readdir(join(directory, 'volumes'))).toEqual(['root']));
    expect(await readdir(join(directory, 'volumes/root'))).toEqual(['disk.qcow2']);
    expect(await readdir(join(host.network.storagePath, 'claim'))).toEqual(['disk.img']);
  }, 60_000);

  it('lets go of a disk for good though the handler that asked it to was killed meanwhile', async () => {
    const disks = [ROOT_DISK, { name: 'extra', disk: { bus: 'scsi' } }];
    const volumes = [ROOT_VOLUME, { name: 'extra', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } }];
    const held = { name: 'extra', target: '', hotplugVolume: { attachPodName: 'holder', attachPodUID: 'holder-1' } };
    const namespace = 'default';
    await bed.instances.patch('linux', 'merge', { spec: { volumes, domain: { devices: { disks } } } }, { namespace });
    const awaited = await bed.until('linux', (linux) => volumeOf(linux) !== undefined);
    const others = (awaited.status?.volumeStatus ?? []).filter(({ name }) => name !== 'extra');
    await bed.instances.patch('linux', 'merge', { status: { volumeStatus: [held, ...others] } }, { namespace });
    await bed.until('linux', (linux) => volumeOf(linux)?.phase === 'Ready');
    await handler[Symbol.asyncDispose]();
    await letGoOf('extra');
    const without = { spec: { volumes: [ROOT_VOLUME], domain: { devices: { disks: [ROOT_DISK] } } } };
    await bed.instances.patch('linux', 'merge', without, { namespace });

    handler = await startHandler();
    await bed.until('linux', (linux) => volumeOf(linux) === undefined);

    expect(await readdir(join(directory, 'volumes'))).toEqual(['root']);
  }, 60_000);

  it('gets a second processor while it runs', async () => {
    await bed.instances.patch(
      'linux',
      'merge',
      { spec: { domain: { cpu: { sockets: 2 } } } },
      { namespace: 'default' },
    );

    const { status } = await bed.until('linux', (linux) => linux.status?.currentCPUTopology?.sockets === 2);

    expect(status?.phase).toBe('Running');
  }, 60_000);

  it('gets memory while it runs', async () => {
    await bed.instances.patch(
      'linux',
      'merge',
      { spec: { domain: { memory: { guest: '192Mi' } } } },
      { namespace: 'default' },
    );

    const { status } = await bed.until('linux', (linux) => linux.status?.memory?.guestCurrent === '192Mi');

    expect(status?.memory).toEqual({ guestAtBoot: '128Mi', guestRequested: '192Mi', guestCurrent: '192Mi' });
  }, 60_000);

  it('shuts itself down when it is asked to, and leaves nothing', async () => {
    await console.waitFor(/^tick 3/m);

    await bed.instances.delete('linux', { namespace: 'default' });
    await bed.untilPhase('linux', 'Succeeded');

    expect(await cgroups.processIds(GUEST_CGROUP)).toEqual([]);
    expect((await libvirt.connectListAllDomains()).map(({ name }) => name)).not.toContain('default_linux');
  }, 60_000);
});

describe('a machine in QEMU', () => {
  let handler: RunningHandler;

  beforeAll(async () => {
    handler = await bed.startHandler();
  });

  afterAll(async () => {
    await handler[Symbol.asyncDispose]();
  });

  it.each(['create', 'cgroup'] as const)(
    'that a handler left after the step %s is brought up by the next',
    async (step) => {
      const name = `left-after-${step}`;
      const reached = Promise.withResolvers<void>();
      {
        const onStartStep = (done: string): void => {
          if (done !== step) return;
          reached.resolve();
          throw new Error(`died after ${step}`);
        };
        await handler[Symbol.asyncDispose]();
        await using _dying = await bed.startHandler({ onStartStep });
        await bed.place(name, { spec: bareMachine(), pod: pod(name, '/counts-only') });
        await reached.promise;
      }
      const { id, name: domainName } = await domainOf(name);

      handler = await bed.startHandler();
      await bed.untilPhase(name, 'Running');

      expect(await libvirt.domainLookupByName({ name: domainName })).toMatchObject({ id });
      expect(bed.node.moved.get(`pod-of-${name}`)).toHaveLength(1);
    },
    20_000,
  );

  it('whose disk another one holds is started when that lets go of it', async () => {
    const path = join(host.network.storagePath, 'held.img');
    await writeFile(path, Buffer.alloc(1_048_576));
    await bed.place('holder', { spec: machineWithDisk(path) });
    await bed.untilPhase('holder', 'Running');

    await bed.place('patient', { spec: machineWithDisk(path), pod: pod('patient', '/counts-only') });
    const refused = await bed.until('patient', (patient) => messageOf(patient, 'Synchronized') !== undefined);
    await bed.instances.delete('holder', { namespace: 'default' });
    await bed.untilPhase('patient', 'Running');

    expect(messageOf(refused, 'Synchronized')).toMatch(/^the guest cannot be started: .*lock/s);
    expect(JSON.stringify(bed.log)).not.toContain('default_patient is not found');
    expect(bed.node.moved.get('pod-of-patient')).toHaveLength(1);
  }, 60_000);

  it('whose process is killed is an instance that failed', async () => {
    await bed.place('killed', { spec: bareMachine(), pod: pod('killed', '/counts-only') });
    await bed.untilPhase('killed', 'Running');
    const [processId] = bed.node.moved.get('pod-of-killed') ?? [];

    process.kill(processId ?? 0, 'SIGKILL');
    const { status } = await bed.untilPhase('killed', 'Failed');

    expect(status).toMatchObject({ reason: 'GuestCrashed' });
  }, 60_000);

  it('that does not react to being asked is switched off when its time is up', async () => {
    await bed.place('deaf', { spec: bareMachine({ terminationGracePeriodSeconds: 1 }) });
    await bed.untilPhase('deaf', 'Running');

    await bed.instances.delete('deaf', { namespace: 'default' });
    const { status } = await bed.untilPhase('deaf', 'Failed');

    expect(status).toMatchObject({ reason: 'GracePeriodExpired' });
  }, 60_000);

  it('that was asked to shut down gets no more time from the next handler', async () => {
    await bed.place('slow', { spec: bareMachine({ terminationGracePeriodSeconds: 600 }) });
    await bed.untilPhase('slow', 'Running');
    await bed.instances.delete('slow', { namespace: 'default' });
    await soon(async () => expect(await bed.eventsOf('slow')).toContain('ShuttingDown'));
    await handler[Symbol.asyncDispose]();

    handler = await bed.startHandler({ clock: { ...systemClock, now: () => Date.now() + 601_000 } });
    const { status } = await bed.untilPhase('slow', 'Failed');

    expect(status).toMatchObject({ reason: 'GracePeriodExpired' });
  }, 60_000);

  it('that lost its power is an instance that failed', async () => {
    await bed.place('powerless', { spec: bareMachine() });
    await bed.untilPhase('powerless', 'Running');

    await host.crash();
    await host.powerOn();
    libvirt = await connect(host.uri);
    const { status } = await bed.untilPhase('powerless', 'Failed');

    expect(status).toMatchObject({ phase: 'Failed' });
  }, 60_000);
});

function machineWithDisk(path: string): VirtualMachineInstanceSpec {
  const { domain, ...spec } = bareMachine({ volumes: [{ name: 'root', hostDisk: { path, type: 'Disk' } }] });
  const disks = [{ name: 'root', disk: { bus: 'virtio' } }];
  return { ...spec, domain: { ...domain, devices: { ...domain.devices, disks } } };
}

function messageOf({ status }: VirtualMachineInstance, type: string): string | undefined {
  return status?.conditions?.find((condition) => condition.type === type)?.message;
}

async function domainOf(name: string): Promise<Domain> {
  return await libvirt.domainLookupByName({ name: `default_${name}` });
}

async function startHandler(): Promise<RunningHandler> {
  return await bed.startHandler({ sandboxes: await realSandboxes(), volumes: createInstanceVolumes(), awayMs: 300 });
}

/** Has the guest let go of a disk, as a handler does. */
async function letGoOf(disk: string): Promise<void> {
  const domain = await domainOf('linux');
  const disks = async (): Promise<XmlElement> => parseXml(await libvirt.domainGetXmlDesc({ domain })).root;
  const device = findDevice(await disks(), 'disk', disk);
  if (device === undefined) throw new Error(`the guest has no disk ${disk}`);
  await libvirt.domainDetachDeviceFlags({ domain, xml: printXml(device), flags: Modify.live | Modify.config });
  await soon(async () => expect(findDevice(await disks(), 'disk', disk)).toBeUndefined());
}

async function realSandboxes(): Promise<Sandboxes> {
  const real = await openSandboxes();
  return { ...bed.node.sandboxes, moveToGuestCgroup: (...request) => real.moveToGuestCgroup(...request) };
}

function pod(name: string, guestCgroup: string): PodSandbox {
  const launcher = undefined;
  return {
    podUid: `pod-of-${name}`,
    namespace: 'default',
    name: `virt-launcher-${name}`,
    launcher,
    guestCgroup,
    volumes: {},
  };
}

function volumeOf({ status }: VirtualMachineInstance): VolumeStatus | undefined {
  return status?.volumeStatus?.find(({ name }) => name === 'extra');
}

/** On a busy machine, soon is later than a second. */
async function soon(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, 15_000);
}
