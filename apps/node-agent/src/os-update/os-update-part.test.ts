import { mkdtempDisposable, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { startSystemd, type SystemdMachine } from '@smalt/bed-systemd';
import { findCondition } from '@smalt/controller-runtime';
import { evictionKind, type Eviction, type Hypervisor, type HypervisorUpdateStatus } from '@smalt/fleet-api';
import { follow } from '@smalt/kube';
import { connect } from '@smalt/libvirt';
import { openSystemd, type Systemd } from '@smalt/systemd';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from '../fixtures/fleet-bed.ts';
import { runPartInBed, type RunningPart } from '../part-bed.ts';
import { HostEvacuation } from '../reboot/host-evacuation.ts';
import { createOsUpdatePart, type OsUpdateSettings } from './os-update-part.ts';
import type { UpdateSystemd } from './run-update.ts';

/** Notes its version, waits for a verdict and ends with it. */
const SCRIPT = [
  'echo VERSION >>/run/bed/began',
  'while ! [ -e /run/bed/verdict ]; do sleep 0.02; done',
  'exit $$(cat /run/bed/verdict)',
].join('; ');
const UNITS = {
  'systemd-sysupdate@.service': `[Service]\nType=oneshot\nExecStart=/bin/sh -c '${SCRIPT.replace('VERSION', '%i')}'\n`,
  'systemd-sysupdate.service': `[Service]\nType=simple\nExecStart=/bin/sh -c '${SCRIPT.replace('VERSION', 'latest')}'\n`,
  'systemd-sysupdate-reboot.target': '[Unit]\nRequires=mark.service\nAfter=mark.service\n',
  'mark.service': "[Service]\nType=oneshot\nExecStart=/bin/sh -c 'echo reboot >>/run/bed/rebooted'\n",
};

let bed: FleetBed;
let daemon: TestDaemon;
let machine: SystemdMachine;
let systemd: Systemd | undefined;
let nodes = 0;
let node: string;

beforeAll(async () => {
  [bed, daemon, machine] = await Promise.all([startFleetBed(), startTestDaemon(), startSystemd({ units: UNITS })]);
  systemd = await openSystemd({ busPath: machine.busPath });
});

afterAll(async () => {
  await systemd?.[Symbol.asyncDispose]();
  await Promise.all([bed, daemon, machine].map((each) => each[Symbol.asyncDispose]()));
});

beforeEach(async () => {
  nodes += 1;
  node = `update-${nodes}`;
  for (const name of ['began', 'verdict', 'rebooted']) await rm(shared(name), { force: true });
});

describe('an update', () => {
  it('counts as running while its unit is activating, and as installed only after it has succeeded', async () => {
    await using _part = await start({ version: '1.1' });
    const running = await until('True', 'Running');
    const state = await machine.systemctl(['show', '--property=ActiveState', 'systemd-sysupdate@1.1.service']);

    await decide(0);
    const done = await until('True', 'Completed');

    expect([running, state.trim()]).toEqual([
      {
        message: 'Operating system update to 1.1 is running',
        update: { inProgress: true, installed: 'unknown', retry: 3 },
      },
      'ActiveState=activating',
    ]);
    expect(done).toEqual({
      message: 'Operating system update 1.1 is installed',
      update: { inProgress: false, installed: '1.1', retry: 3 },
    });
    expect(await read('rebooted')).toBe('');
  });

  it('to the latest is waited for although its unit only says that it has begun, and can be had again', async () => {
    await using _part = await start({ version: 'latest' });
    await until('True', 'Running');
    await untilBegan(['latest']);

    await decide(0);
    await until('True', 'Completed');
    await wish({ version: '' });
    await bed.until(node, ({ status }) => findCondition(status?.conditions, 'OperatingSystemUpdate') === undefined);
    await wish({ version: 'latest' });
    const again = await until('True', 'Completed');

    expect(again.update).toEqual({ inProgress: false, installed: 'latest', retry: 3 });
    expect(await read('began')).toBe('latest\nlatest\n');
  });

  it('that fails is tried again, less and less often, and then no more until another version is wanted', async () => {
    await decide(3);
    await using _part = await start({ version: '2.1' });

    const stopped = await until('False', 'Stopped', ({ retry }) => retry === 0);
    await decide(0);
    await wish({ version: '2.2' });
    const done = await until('True', 'Completed');

    expect(stopped.message).toBe(
      '2.1 update has failed: systemd-sysupdate@2.1.service ended with failed: ' +
        'see journalctl -u systemd-sysupdate@2.1.service; it is not tried again until spec.version changes',
    );
    expect(done.update).toEqual({ inProgress: false, installed: '2.2', retry: 3 });
    expect(await read('began')).toBe('2.1\n2.1\n2.1\n2.2\n');
  });

  it('is picked up where it is by an agent that was started anew', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-update-'));
    const first = await start({ version: '3.1' }, { stateDirectory: directory.path });
    await until('True', 'Running');
    await untilBegan(['3.1']);
    await first[Symbol.asyncDispose]();

    const starts = observeStarts();
    await using _second = await startAgain({ stateDirectory: directory.path, systemd: starts.systemd });
    await starts.untilHeard();
    await decide(0);
    const done = await until('True', 'Completed');

    expect(done.update.installed).toBe('3.1');
    expect(await read('began')).toBe('3.1\n');
  });

  it('that failed while no agent was there costs one try, and none is begun uncounted', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-update-'));
    const first = await start({ version: '4.1' }, { stateDirectory: directory.path });
    await until('True', 'Running');
    await untilBegan(['4.1']);
    await first[Symbol.asyncDispose]();
    await decide(1);
    await machine.exec(['sh', '-c', 'until systemctl is-failed -q systemd-sysupdate@4.1; do sleep 0.05; done']);

    await using _second = await startAgain({ stateDirectory: directory.path, retryMs: 3_600_000 });
    const stopped = await until('False', 'Stopped');

    expect(stopped.update.retry).toBe(2);
    expect(stopped.message).toContain('it is tried 2 more times');
    expect(await read('began')).toBe('4.1\n');
  });

  it('that takes too long counts as failed, and is stopped', async () => {
    await using _part = await start({ version: '5.1' }, { updateLimitMs: 200, retryMs: 3_600_000 });

    const stopped = await until('False', 'Stopped');
    const state = await machine.systemctl(['show', '--property=ActiveState', 'systemd-sysupdate@5.1.service']);

    expect(stopped.message).toContain('systemd-sysupdate@5.1.service did not end within 0 minutes and was stopped');
    expect(stopped.update.retry).toBe(2);
    expect(state.trim()).toMatch(/^ActiveState=(?:inactive|failed)$/);
  });

  it('to something that is no version is refused before systemd hears of it', async () => {
    await using _part = await start({ version: '1.0/../../x' });

    const stopped = await until('False', 'Stopped');

    expect(stopped.message).toMatch(/^spec\.version: "1\.0\/\.\.\/\.\.\/x" is not a version/);
    expect(await read('began')).toBe('');
  });

  it('to a version that runs already needs nothing', async () => {
    await create({ version: '6.1' });
    const status = { numInstances: 0, operatingSystem: { version: '6.1' } };
    await bed.hypervisors.applyStatus(node, status, { fieldManager: 'facts', force: true });
    await using _part = await startAgain({});

    const done = await until('True', 'Completed');

    expect([done.update.inProgress, await read('began')]).toEqual([false, '']);
  });

  it('cannot be made without systemd', async () => {
    await using _part = await start({ version: '7.1' }, { systemd: undefined });

    expect((await until('False', 'Stopped')).message).toContain('there is no systemd');
  });
});

describe('the reboot after an update', () => {
  it('comes after success, and at once when no guests have to move', async () => {
    await using _part = await start({ version: '8.1', reboot: true, evacuateOnReboot: false });
    await until('True', 'Running');
    const before = await read('rebooted');

    await decide(0);
    await untilFile('rebooted', 'reboot\n');

    expect(before).toBe('');
    expect(await bed.client.resource(evictionKind).list()).toMatchObject({ items: [] });
  });

  it('does not come after a failure', async () => {
    await decide(1);
    await using _part = await start({ version: '8.2', reboot: true }, { tries: 1 });

    await until('False', 'Stopped', ({ retry }) => retry === 0);

    expect(await read('rebooted')).toBe('');
  });

  it('waits until the host is empty, tries again after a failed Eviction, and then comes', async () => {
    await decide(0);
    await using own = await startTestDaemon();
    await using connection = await connect(own.uri);
    const spec = { version: '8.3', reboot: true, evacuateOnReboot: true };
    await using part = await start(spec, { rebootRetryMs: 50, uri: own.uri });

    const first = await untilEviction(() => true);
    await conclude(first, 'Failed');
    const second = await untilEviction(({ metadata }) => metadata.uid !== first.metadata.uid);
    await conclude(second, 'Succeeded');
    await expect.poll(() => part.log.join('')).toContain('the Eviction has succeeded, but one guest still runs');
    const before = await read('rebooted');
    await connection.domainDestroy({ domain: await connection.domainLookupByName({ name: 'test' }) });
    await untilFile('rebooted', 'reboot\n');

    expect(before).toBe('');
  });

  it('is given up, and the Eviction with it, when nobody wants it any more', async () => {
    await decide(0);
    await using _part = await start({ version: '8.4', reboot: true, evacuateOnReboot: true });
    const { metadata } = await untilEviction(() => true);

    await wish({ reboot: false });
    await untilNoEviction(metadata.uid);

    await bed.until(node, ({ status }) => {
      const condition = findCondition(status?.conditions, 'OperatingSystemUpdate');
      return condition?.message === 'Operating system update 8.4 is installed';
    });

    expect(await read('rebooted')).toBe('');
  });
});

/** Tells when systemd has heard that it shall start something, which may be long before that has ended. */
function observeStarts() {
  const real = systemd;
  if (real === undefined) throw new Error('the machine has no bus');
  const called = Promise.withResolvers<void>();
  const observed: UpdateSystemd = {
    unitStates: (names, signal) => real.unitStates(names, signal),
    watchUnits: (names, signal) => real.watchUnits(names, signal),
    stopUnit: (name, signal) => real.stopUnit(name, signal),
    startUnit: (name, signal) => {
      const job = real.startUnit(name, signal);
      called.resolve();
      return job;
    },
  };
  const untilHeard = async (): Promise<void> => {
    await called.promise;
    // Calls on one bus are heard in their order, and to start a unit takes two.
    for (let call = 0; call < 3; call++) await real.unitStates(['mark.service'], AbortSignal.timeout(5_000));
  };
  return { systemd: observed, untilHeard };
}

type Spec = Partial<NonNullable<Hypervisor['spec']>>;
type StartOptions = Partial<OsUpdateSettings> & { readonly stateDirectory?: string; readonly uri?: string };

async function start(spec: Spec, options: StartOptions = {}): Promise<RunningPart> {
  await create(spec);
  return await startAgain(options);
}

async function startAgain({ stateDirectory, uri = daemon.uri, ...settings }: StartOptions): Promise<RunningPart> {
  return await runPartInBed({ bed, nodeName: node, libvirtUri: uri, stateDirectory }, (context) =>
    createOsUpdatePart(context, {
      systemd,
      evacuation: new HostEvacuation(context, { pollMs: 50 }),
      retryMs: 20,
      rebootRetryMs: 3_600_000,
      ...settings,
    }),
  );
}

async function create(spec: Spec): Promise<void> {
  await bed.hypervisors.create({ metadata: { name: node }, spec: spec as NonNullable<Hypervisor['spec']> });
}

async function wish(spec: Spec): Promise<void> {
  await bed.hypervisors.patch(node, 'merge', { spec });
}

interface Told {
  readonly message: string;
  readonly update: HypervisorUpdateStatus;
}

async function until(
  status: string,
  reason: string,
  isWanted: (update: HypervisorUpdateStatus) => boolean = () => true,
): Promise<Told> {
  const readTold = (hypervisor: Hypervisor): Told | undefined => {
    const condition = findCondition(hypervisor.status?.conditions, 'OperatingSystemUpdate');
    const update = hypervisor.status?.updateStatus;
    if (condition?.status !== status || condition.reason !== reason || update === undefined) return undefined;
    return isWanted(update) ? { message: condition.message, update } : undefined;
  };
  const told = readTold(await bed.until(node, (hypervisor) => readTold(hypervisor) !== undefined));
  if (told === undefined) throw new Error('no condition');
  return told;
}

async function untilEviction(isWanted: (eviction: Eviction) => boolean): Promise<Eviction> {
  for await (const events of follow(bed.client.resource(evictionKind), { signal: AbortSignal.timeout(10_000) })) {
    for (const event of events) {
      const isThere = event.type === 'ADDED' || event.type === 'MODIFIED';
      if (isThere && event.object.metadata.name === node && isWanted(event.object)) return event.object;
    }
  }
  throw new Error('there is no such Eviction');
}

async function untilNoEviction(uid: string | undefined): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  const evictions = bed.client.resource(evictionKind);
  const { items, metadata } = await evictions.list({ signal });
  if (!items.some((item) => item.metadata.uid === uid)) return;
  for await (const events of follow(evictions, { signal, resourceVersion: metadata.resourceVersion })) {
    if (events.some((event) => event.type === 'DELETED' && event.object.metadata.uid === uid)) return;
  }
}

async function conclude({ metadata: { name } }: Eviction, reason: 'Succeeded' | 'Failed'): Promise<void> {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const condition = { type: 'Evicting', status: 'False', reason, message: 'it ended', lastTransitionTime };
  const options = { fieldManager: 'operator', force: true };
  await bed.client.resource(evictionKind).applyStatus(name, { conditions: [condition] }, options);
}

/** How all updates end from now on. */
async function decide(exitCode: number): Promise<void> {
  // At once as a whole: an update that finds an empty verdict ends as if all were well.
  await writeFile(shared('verdict.new'), String(exitCode));
  await rename(shared('verdict.new'), shared('verdict'));
}

async function untilBegan(versions: readonly string[]): Promise<void> {
  await untilFile('began', `${versions.join('\n')}\n`);
}

async function untilFile(name: string, text: string): Promise<void> {
  await machine.exec(
    ['sh', '-c', `until [ "$(cat /run/bed/${name} 2>/dev/null)" = "${text.trim()}" ]; do sleep 0.02; done`],
    {
      signal: AbortSignal.timeout(10_000),
    },
  );
}

async function read(name: string): Promise<string> {
  return await readFile(shared(name), 'utf8').catch(() => '');
}

function shared(name: string): string {
  return join(machine.sharedDirectory, name);
}
