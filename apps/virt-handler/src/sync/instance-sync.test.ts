import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { connect, isNoDomain, type Connection, type Domain } from '@smalt/libvirt';
import { findProcess, type PodSandbox, type SandboxProcess } from '@smalt/pod-sandbox';
import type { VirtualMachineInstanceSpec, VirtualMachineInstanceStatus } from '@smalt/vm-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { GuestLoss } from '../migration/written-loss.ts';
import { VirtHandlerError } from '../virt-handler-error.ts';
import { NODE, SyncBed, type RunningHandler } from './fixtures/sync-bed.ts';

let daemon: TestDaemon;
/** Stays open: the mock forgets its domains with its last client. */
let libvirt: Connection;
let bed: SyncBed;

beforeAll(async () => {
  daemon = await startTestDaemon();
  libvirt = await connect(daemon.uri);
  bed = await SyncBed.start({ test: { uri: daemon.uri } });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
  await libvirt[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
}, 60_000);

describe('one handler', () => {
  let handler: RunningHandler;

  beforeAll(async () => {
    handler = await bed.startHandler();
  });

  afterAll(async () => {
    await handler[Symbol.asyncDispose]();
  });

  beforeEach(() => {
    bed.node.volumeFailure = undefined;
    bed.node.networkFailure = undefined;
  });

  it('starts the guest of an instance and says so in one write', async () => {
    const placed = await bed.place('first', { spec: small() });
    const { status, metadata } = await bed.untilPhase('first', 'Running');

    expect(metadata.generation).toBe((placed.metadata.generation ?? 0) + 1);
    expect(status).toMatchObject({
      phase: 'Running',
      nodeName: NODE,
      machine: { type: 'q35' },
      memory: { guestAtBoot: '16Mi', guestCurrent: '16Mi', guestRequested: '16Mi' },
      currentCPUTopology: { cores: 1, sockets: 1, threads: 1 },
      activePods: { 'pod-of-first': NODE },
    });
    expect(conditionsOf({ status })).toMatchObject({ Ready: 'True', LiveMigratable: 'False' });
    expect(status?.phaseTransitionTimestamps?.map(({ phase }) => phase)).toEqual(['Running']);
    expect(handler.sync.find('default', 'first')).toMatchObject({ domain: { name: 'default_first' } });
  });

  it('writes nothing when nothing has changed', async () => {
    const before = await bed.instances.get('first', { namespace: 'default' });

    handler.sync.wake('default/first');
    await bed.place('after-first', { spec: small() });
    await bed.untilPhase('after-first', 'Running');

    expect((await bed.instances.get('first', { namespace: 'default' })).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
  });

  it('shows that a guest is paused, and that it goes on', async () => {
    await libvirt.domainSuspend({ domain: await domainOf('first') });
    const paused = await bed.until('first', ({ status }) => conditionsOf({ status })['Paused'] === 'True');
    await libvirt.domainResume({ domain: await domainOf('first') });
    const resumed = await bed.until('first', ({ status }) => conditionsOf({ status })['Paused'] === undefined);

    expect(paused.status?.phase).toBe('Running');
    expect(resumed.status?.phase).toBe('Running');
  });

  it('shuts the guest of a deleted instance down and puts everything away', async () => {
    await bed.instances.delete('first', { namespace: 'default' });
    const { status, metadata } = await bed.untilPhase('first', 'Succeeded');

    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', reason: 'GuestShutDown' }));
    expect(await isDefined('first')).toBe(false);
    await soon(async () => expect(await directories()).not.toContain(metadata.uid));
    expect([bed.node.prepared.has('first'), bed.node.connected.has('first')]).toEqual([false, false]);
    await soon(async () =>
      expect(await bed.eventsOf('first')).toEqual(['Created', 'Started', 'ShuttingDown', 'Stopped']),
    );
  });

  it('calls an instance failed whose guest somebody switched off', async () => {
    await libvirt.domainDestroy({ domain: await domainOf('after-first') });

    const { status } = await bed.untilPhase('after-first', 'Failed');

    expect(status).toMatchObject({ reason: 'GuestDestroyed' });
    expect(await isDefined('after-first')).toBe(false);
  });

  it('calls an instance failed whose guest was ended because it could go on nowhere after a migration', async () => {
    await bed.place('written-off', { spec: small() });
    const instance = await bed.untilPhase('written-off', 'Running');
    const { directories: records } = handler.sync;
    const warn = vi.fn<() => void>();
    const loss = new GuestLoss({ directories: records, instance, logger: { warn }, isFresh: true });
    loss.decide('half of the guest was at the target');
    await loss.write();

    const domain = await domainOf('written-off');
    await libvirt.domainUndefine({ domain });
    await libvirt.domainDestroy({ domain });
    const { status } = await bed.untilPhase('written-off', 'Failed');

    const message = 'half of the guest was at the target';
    expect(status).toMatchObject({ reason: 'LostInMigration' });
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', reason: 'LostInMigration', message }),
    );
    expect(warn).not.toHaveBeenCalled();
  });

  it('starts a guest that stands still when it is asked to', async () => {
    await bed.place('still', { spec: small({ startStrategy: 'Paused' }) });

    const { status } = await bed.untilPhase('still', 'Running');

    expect(conditionsOf({ status })).toMatchObject({ Paused: 'True' });
    expect(conditionsOf({ status })['Ready']).toBeUndefined();
  });

  it('never starts what is being deleted', async () => {
    bed.node.volumeFailure = new VirtHandlerError('volume-not-ready', 'the image is missing; import it');
    await bed.place('unlucky', { spec: small() });
    await bed.until('unlucky', ({ status }) => conditionsOf({ status })['Synchronized'] === 'False');

    await bed.instances.delete('unlucky', { namespace: 'default' });
    const { status } = await bed.untilPhase('unlucky', 'Succeeded');

    expect(status?.conditions).toContainEqual(expect.objectContaining({ reason: 'DeletedBeforeStart' }));
    expect(await isDefined('unlucky')).toBe(false);
  });

  it('says what keeps a guest from starting, and starts it when that is gone', async () => {
    bed.node.volumeFailure = new VirtHandlerError('volume-not-ready', 'the image is missing; import it');
    await bed.place('waiting', { spec: small() });

    const waiting = await bed.until('waiting', ({ status }) => conditionsOf({ status })['Synchronized'] === 'False');
    bed.node.volumeFailure = undefined;
    const running = await bed.untilPhase('waiting', 'Running');

    expect(waiting.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Synchronized', message: 'the image is missing; import it' }),
    );
    expect(conditionsOf(running)['Synchronized']).toBeUndefined();
    expect(await bed.eventsOf('waiting')).toContain('SyncFailed');
  });

  it('gives up on an instance that is wrong in itself, and names the field', async () => {
    const devices = { ...small().domain.devices, disks: [{ name: 'root', disk: { bus: 'ide' } }] };
    await bed.place('wrong', { spec: small({ domain: { memory: { guest: '16Mi' }, devices } }) });

    const { status } = await bed.untilPhase('wrong', 'Failed');

    expect(status).toMatchObject({ reason: 'InvalidInstance' });
    const message = expect.stringContaining('spec.domain.devices.disks[0].disk.bus: there is no bus "ide"');
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', message }));
    expect(await isDefined('wrong')).toBe(false);
  });

  it('does not let two guests have the same firmware id', async () => {
    const firmware = { uuid: '5d307ca9-b3ef-428c-8861-06e72d69f223' };
    const spec = small({ domain: { ...small().domain, firmware } });
    await bed.place('one', { spec });
    await bed.untilPhase('one', 'Running');

    await bed.place('two', { spec });
    const { status } = await bed.until('two', (two) => conditionsOf(two)['Synchronized'] === 'False');

    const message = expect.stringMatching(/^spec\.domain\.firmware\.uuid: .* is that of the domain default_one/);
    expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'Synchronized', message }));
    expect(await isDefined('one')).toBe(true);
  });

  it('keeps hostile names inside the XML', async () => {
    const name = `a'/><kernel>/etc/shadow</kernel><x a='../../../tmp/x`;
    const devices = { ...small().domain.devices, disks: [{ name, disk: { bus: 'virtio' } }] };
    const volumes = [{ name, hostDisk: { path: `/tmp/$(reboot)'"<>&`, type: 'Disk' } }];
    await bed.place('hostile', { spec: small({ volumes, domain: { memory: { guest: '16Mi' }, devices } }) });

    const { status } = await bed.untilPhase('hostile', 'Running');

    expect(status?.volumeStatus).toMatchObject([{ name, target: 'vda' }]);
    expect(await libvirt.domainGetXmlDesc({ domain: await domainOf('hostile') })).not.toContain('<kernel>');
  });

  it('fails an instance whose pod is gone before its guest was started', async () => {
    await bed.place('podless', { spec: small(), status: { activePods: {} } });

    const { status } = await bed.untilPhase('podless', 'Failed');

    expect(status).toMatchObject({ reason: 'LauncherGone' });
    expect(await isDefined('podless')).toBe(false);
  });

  it('starts no guest whose pod is not found yet, says so, and fails nothing', async () => {
    await bed.place('early', { spec: small(), status: { activePods: { 'no-such-pod': NODE } } });

    const { status } = await bed.until('early', (early) => conditionsOf(early)['Synchronized'] === 'False');

    expect(status?.phase).toBe('Scheduled');
    expect(await isDefined('early')).toBe(false);
  });

  it('ends a guest only when its launcher has ended, not when nothing of its pod is found', async () => {
    using launcher = await startLauncher();
    await bed.place('orphaned', { spec: small(), pod: podOf('orphaned', launcher.process) });
    await bed.untilPhase('orphaned', 'Running');

    bed.node.pods.delete('pod-of-orphaned');
    handler.sync.wake('default/orphaned');
    const unseen = await bed.until('orphaned', (orphaned) => conditionsOf(orphaned)['Synchronized'] === 'False');
    await launcher.end();
    handler.sync.wake('default/orphaned');
    const { status } = await bed.untilPhase('orphaned', 'Failed');

    expect(unseen.status?.phase).toBe('Running');
    const message = expect.stringContaining('its launcher pod is not found on the node node-1');
    expect(unseen.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Synchronized', message }));
    expect(status).toMatchObject({ reason: 'LauncherGone' });
  });

  it('starts nothing in a pod whose launcher has ended, though the pod is still there', async () => {
    using launcher = await startLauncher();
    await launcher.end();

    await bed.place('too-late', { spec: small(), pod: podOf('too-late', launcher.process) });
    const { status } = await bed.untilPhase('too-late', 'Failed');

    expect(status).toMatchObject({ reason: 'LauncherGone' });
    expect(await isDefined('too-late')).toBe(false);
  });

  it('shuts a guest down whose pod is deleted', async () => {
    await bed.place('preempted', { spec: small() });
    const { status } = await bed.untilPhase('preempted', 'Running');

    const ready = { type: 'Ready', status: 'False', reason: 'PodTerminating' } as const;
    const conditions = [...(status?.conditions ?? []).filter(({ type }) => type !== 'Ready'), ready];
    await bed.instances.patch('preempted', 'merge', { status: { conditions } }, { namespace: 'default' });
    const ended = await bed.untilPhase('preempted', 'Succeeded');

    expect(ended.metadata.deletionTimestamp).toBeUndefined();
    expect(ended.status?.conditions).toContainEqual(expect.objectContaining({ reason: 'GuestShutDown' }));
  });

  it('ends guests that no instance stands for, and leaves those of others alone', async () => {
    await libvirt.domainCreateXml({ xml: domainXml('default_stranger', randomUUID()) });
    await libvirt.domainCreateXml({
      xml: "<domain type='test'><name>some_one</name><memory>1024</memory><os><type>hvm</type></os></domain>",
    });

    await soon(async () => expect(await isDefined('stranger')).toBe(false));

    expect((await libvirt.connectListAllDomains()).map(({ name }) => name)).toContain('some_one');
  });

  it('lets a guest be that goes by the name of another uid only until that is gone', async () => {
    const { metadata } = await bed.place('again', { spec: small({ startStrategy: 'Paused' }) });
    await bed.untilPhase('again', 'Running');
    await bed.letGo('again');

    await bed.place('again', { spec: small() });
    const { metadata: next } = await bed.untilPhase('again', 'Running');

    expect(next.uid).not.toBe(metadata.uid);
    expect(await libvirt.domainGetXmlDesc({ domain: await domainOf('again') })).toContain(`<uid>${next.uid}</uid>`);
    await soon(async () => expect(await directories()).not.toContain(metadata.uid));
  });

  it('gives a guest up whose instance is on another node', async () => {
    await bed.place('moved', { spec: small() });
    await bed.untilPhase('moved', 'Running');

    const labels = { 'kubevirt.io/nodeName': 'node-2' };
    await bed.instances.patch('moved', 'merge', { metadata: { labels } }, { namespace: 'default' });

    await soon(async () => expect(await isDefined('moved')).toBe(false));
    expect((await bed.instances.get('moved', { namespace: 'default' })).status?.phase).toBe('Running');
  });
});

function small(change: Partial<VirtualMachineInstanceSpec> = {}): VirtualMachineInstanceSpec {
  return {
    hypervisor: 'test',
    domain: { memory: { guest: '16Mi' }, devices: { autoattachGraphicsDevice: false } },
    ...change,
  };
}

function conditionsOf({
  status,
}: {
  readonly status?: VirtualMachineInstanceStatus | undefined;
}): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries((status?.conditions ?? []).map(({ type, status: value }) => [type, value]));
}

async function domainOf(name: string): Promise<Domain> {
  return await libvirt.domainLookupByName({ name: `default_${name}` });
}

async function isDefined(name: string): Promise<boolean> {
  try {
    await domainOf(name);
    return true;
  } catch (error) {
    if (isNoDomain(error)) return false;
    throw error;
  }
}

async function directories(): Promise<readonly string[]> {
  return await readdir(join(bed.stateDirectory, 'instances'));
}

function domainXml(name: string, uid: string): string {
  const metadata = `<metadata><kubevirt xmlns='http://kubevirt.io'><uid>${uid}</uid></kubevirt></metadata>`;
  return `<domain type='test'><name>${name}</name>${metadata}<memory>1024</memory><os><type>hvm</type></os></domain>`;
}

function podOf(name: string, launcher: SandboxProcess): PodSandbox {
  return {
    podUid: `pod-of-${name}`,
    namespace: 'default',
    name: `virt-launcher-${name}`,
    launcher,
    guestCgroup: undefined,
    volumes: {},
  };
}

interface Launcher extends Disposable {
  readonly process: SandboxProcess;
  end(): Promise<void>;
}

/** A process in place of a launcher, which does nothing until it is ended. */
async function startLauncher(): Promise<Launcher> {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const process = await findProcess(child.pid ?? 0);
  if (process === undefined) throw new Error('the launcher has not been started');
  const end = async (): Promise<void> => {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  return { process, end, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** On a busy machine, soon is later than a second. */
async function soon(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, 15_000);
}
