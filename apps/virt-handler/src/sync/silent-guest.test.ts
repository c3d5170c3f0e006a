import { AlteringProxy, startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { connect, procedures, type Connection } from '@smalt/libvirt';
import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SyncBed } from './fixtures/sync-bed.ts';

const READS: readonly number[] = [procedures.domainGetXmlDesc.number, procedures.domainGetState.number];
const REPLY = 1;

let daemon: TestDaemon;
/** Stays open: the mock forgets its domains with its last client. */
let libvirt: Connection;

beforeAll(async () => {
  daemon = await startTestDaemon();
  libvirt = await connect(daemon.uri);
});

afterAll(async () => {
  await libvirt[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
});

describe.each([
  { what: 'is told in a text that is none', fault: () => garbling() },
  { what: 'is not answered', fault: () => withholding() },
])('a domain that $what', { timeout: 90_000 }, ({ fault }) => {
  const owned = new AsyncDisposableStack();
  const trouble = fault();
  let bed: SyncBed;

  beforeAll(async () => {
    const proxy = owned.use(await AlteringProxy.start(daemon.port, trouble.alter, trouble.onRequest));
    bed = owned.use(await SyncBed.start({ test: { uri: `test+tcp://127.0.0.1:${proxy.port}/default` } }));
  });

  afterAll(() => owned.disposeAsync());

  it('holds up its own instance alone, after an event and after a restart, until it answers', async () => {
    const first = await bed.startHandler({ awayMs: 0 });
    await bed.place('stuck', { spec: small() });
    await bed.untilPhase('stuck', 'Running');
    trouble.begin();

    await libvirt.domainSuspend({ domain: await domainOf('stuck') });
    const told = await bed.until('stuck', (stuck) => problemOf(stuck) !== undefined);
    await bed.place('meanwhile', { spec: small() });
    await bed.untilPhase('meanwhile', 'Running');
    await first[Symbol.asyncDispose]();
    await using _second = await bed.startHandler({ awayMs: 0 });
    await bed.place('after-a-restart', { spec: small() });
    await bed.untilPhase('after-a-restart', 'Running');
    await bed.instances.delete('stuck', { namespace: 'default' });
    await bed.instances.delete('meanwhile', { namespace: 'default' });
    await bed.untilPhase('meanwhile', 'Succeeded');
    const waiting = await bed.instances.get('stuck', { namespace: 'default' });
    trouble.end();
    await libvirt.domainResume({ domain: await domainOf('stuck') });
    const ended = await bed.until('stuck', ({ status }) => status?.phase !== 'Running');

    expect(problemOf(told)).toMatch(/^libvirt on the node node-1 does not tell how its domain is; its guest is left/u);
    expect(waiting.status?.phase).toBe('Running');
    expect(ended.status?.phase).toBe('Succeeded');
  });
});

interface Trouble {
  readonly alter: (message: Buffer) => Buffer | undefined;
  readonly onRequest: (message: Buffer) => void;
  readonly begin: () => void;
  readonly end: () => void;
}

function garbling(): Trouble {
  let isOn = false;
  return {
    onRequest: () => undefined,
    alter: (message) => {
      if (!isOn || !message.includes('<name>default_stuck</name>')) return message;
      return Buffer.from(message.toString('latin1').replaceAll('</domain>', '</domaim>'), 'latin1');
    },
    begin: () => (isOn = true),
    end: () => (isOn = false),
  };
}

/** What was held back goes with the first message after the end. */
function withholding(): Trouble {
  const asked = new Set<number>();
  const held: Buffer[] = [];
  let isOn = false;
  return {
    onRequest: (message) => {
      const isRead = READS.includes(message.readUInt32BE(12));
      if (isOn && isRead && message.includes('default_stuck')) asked.add(message.readUInt32BE(20));
    },
    alter: (message) => {
      const isHeld = message.readUInt32BE(16) === REPLY && asked.delete(message.readUInt32BE(20));
      if (isHeld) held.push(message);
      if (!isOn) return Buffer.concat([...held.splice(0), ...(isHeld ? [] : [message])]);
      return isHeld ? undefined : message;
    },
    begin: () => (isOn = true),
    end: () => (isOn = false),
  };
}

function small(): VirtualMachineInstanceSpec {
  return {
    hypervisor: 'test',
    terminationGracePeriodSeconds: 5,
    domain: { memory: { guest: '16Mi' }, devices: { autoattachGraphicsDevice: false } },
  };
}

function problemOf({ status }: VirtualMachineInstance): string | undefined {
  return status?.conditions?.find(({ type, status: is }) => type === 'Synchronized' && is === 'False')?.message;
}

async function domainOf(name: string) {
  return await libvirt.domainLookupByName({ name: `default_${name}` });
}
