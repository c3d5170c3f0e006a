import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { connect, isNoDomain, type Connection, type Domain } from '@smalt/libvirt';
import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { InstanceVolumes } from '../storage/volume-plugin.ts';
import { SyncBed } from './fixtures/sync-bed.ts';
import type { Sandboxes } from './sandboxes.ts';
import { START_STEPS } from './start/start-instance.ts';

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

describe('a handler that dies', () => {
  it.each(START_STEPS)(
    'in the middle of a start, after the step %s, leaves a guest that the next one brings up',
    async (step) => {
      const name = `dies-after-${step}`;
      const reached = Promise.withResolvers<void>();
      const die = (done: string): void => {
        if (done !== step) return;
        reached.resolve();
        throw new Error(`died after ${step}`);
      };
      {
        await using _first = await bed.startHandler({ onStartStep: die });
        await bed.place(name, { spec: small() });
        await reached.promise;
      }

      await using _second = await bed.startHandler();
      await bed.untilPhase(name, 'Running');

      const { state } = await libvirt.domainGetState({ domain: await domainOf(name) });
      expect(state).toBe(1);
    },
  );

  it('while its guests run finds them again, without a write', async () => {
    await bed.place('kept', { spec: small() });
    const first = await bed.startHandler();
    const before = await bed.untilPhase('kept', 'Running');
    const { id } = await domainOf('kept');
    await first[Symbol.asyncDispose]();

    await using second = await bed.startHandler();
    await soon(() => expect(second.sync.find('default', 'kept')).toBeDefined());
    await bed.place('kept-too', { spec: small() });
    await bed.untilPhase('kept-too', 'Running');

    const after = await bed.instances.get('kept', { namespace: 'default' });
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect((await domainOf('kept')).id).toBe(id);
  });

  it('is followed by one that takes no guest for gone that libvirt had not listed yet', async () => {
    {
      await using _first = await bed.startHandler();
      await bed.place('unlisted', { spec: small() });
      await bed.untilPhase('unlisted', 'Running');
    }
    const asked = Promise.withResolvers<void>();
    const listed = Promise.withResolvers<void>();
    daemon.kill('SIGSTOP');
    const find: Sandboxes['find'] = async (podUid, signal) => {
      if (podUid === 'pod-of-unlisted') asked.resolve();
      if (podUid === 'pod-of-unlisted') await listed.promise;
      return await bed.node.sandboxes.find(podUid, signal);
    };

    await using second = await bed.startHandler({ sandboxes: { ...bed.node.sandboxes, find } });
    await asked.promise;
    daemon.kill('SIGCONT');
    await soon(() => expect(second.sync.find('default', 'unlisted')).toBeDefined());
    listed.resolve();
    await libvirt.domainSuspend({ domain: await domainOf('unlisted') });
    const { status } = await bed.until('unlisted', (unlisted) => hasCondition(unlisted, 'Paused'));

    expect(status?.phase).toBe('Running');
  }, 20_000);

  it('while a guest ends tells it when it is back', async () => {
    {
      await using _first = await bed.startHandler();
      await bed.place('missed', { spec: small() });
      await bed.untilPhase('missed', 'Running');
    }
    await libvirt.domainShutdown({ domain: await domainOf('missed') });

    await using _second = await bed.startHandler();
    const { status } = await bed.untilPhase('missed', 'Succeeded');

    expect(status?.conditions).toContainEqual(expect.objectContaining({ reason: 'GuestShutDown' }));
  });

  it('while its instance is deleted for good clears up when it is back', async () => {
    let uid = '';
    {
      await using _first = await bed.startHandler();
      await bed.place('forgotten', { spec: small() });
      uid = (await bed.untilPhase('forgotten', 'Running')).metadata.uid ?? '';
    }
    await bed.letGo('forgotten');

    await using _second = await bed.startHandler();

    await soon(async () => expect(await isDefined('forgotten')).toBe(false));
    await soon(async () => expect(await directories()).not.toContain(uid));
    expect(bed.node.connected.has('forgotten')).toBe(false);
  });
});

it('starts no more guests at a time than it may', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `many-${index}`);
  let underWay = 0;
  let most = 0;
  const gate = Promise.withResolvers<void>();
  const prepare: InstanceVolumes['prepare'] = async (request, signal) => {
    most = Math.max(most, ++underWay);
    await gate.promise;
    return await bed.node.volumes.prepare(request, signal).finally(() => underWay--);
  };
  await Promise.all(names.map((name) => bed.place(name, { spec: small() })));

  await using _handler = await bed.startHandler({ maxStarts: 3, volumes: { ...bed.node.volumes, prepare } });
  await soon(() => expect(underWay).toBe(3));
  gate.resolve();
  await Promise.all(names.map((name) => bed.untilPhase(name, 'Running')));

  expect(most).toBe(3);
});

it('keeps guests running while the API is away, and tells their end when it is back', async () => {
  await using _handler = await bed.startHandler();
  await bed.place('cut-off', { spec: small() });
  await bed.untilPhase('cut-off', 'Running');

  await bed.server.kill();
  await libvirt.domainShutdown({ domain: await domainOf('cut-off') });
  await soon(async () => expect(await isDefined('cut-off')).toBe(false));
  await bed.server.restart(AbortSignal.timeout(30_000));

  const { status } = await bed.untilPhase('cut-off', 'Succeeded');
  expect(status?.conditions).toContainEqual(expect.objectContaining({ reason: 'GuestShutDown' }));
}, 30_000);

function small(change: Partial<VirtualMachineInstanceSpec> = {}): VirtualMachineInstanceSpec {
  return {
    hypervisor: 'test',
    domain: { memory: { guest: '16Mi' }, devices: { autoattachGraphicsDevice: false } },
    ...change,
  };
}

function hasCondition({ status }: VirtualMachineInstance, type: string): boolean {
  return status?.conditions?.some((condition) => condition.type === type) === true;
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

/** On a busy machine, soon is later than a second. */
async function soon(check: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(check, 15_000);
}
