import {
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  virtualMachineKind,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exitCodeOf } from '../output/exit-code.ts';
import { startCliBed, type CliBed, type KeptProgram } from '../output/fixtures/cli-bed.ts';
import { watchObjects } from '../output/watch-objects.ts';
import { runMigrate } from './run-migrate.ts';
import { runOrder } from './run-order.ts';

const WAIT = { wait: true, timeout: 20_000 };
const GO = { timeout: 20_000 };
let bed: CliBed;

beforeAll(async () => {
  bed = await startCliBed();
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('smalt start', () => {
  it('waits until the machine runs, and says where', async () => {
    await bed.machine('a');
    const program = bed.program();

    const running = runOrder(program, { order: 'start', name: 'a' }, WAIT);
    await until((machine) => machine?.status?.stateChangeRequests?.[0]?.action === 'Start', 'a');
    await bed.instance('a', { phase: 'Scheduling' });
    await bed.controller
      .resource(virtualMachineInstanceKind)
      .patch('a', 'merge', { status: { phase: 'Running', nodeName: 'n1' } }, { namespace: 'default' });
    await running;

    expect(program.printed()).toBe('a runs on n1\n');
  });

  it('says what holds it up when its time is over, and ends with 5', async () => {
    await bed.machine('slow');
    await setStatus('slow', { printableStatus: 'ErrorUnschedulable' });

    const failure = runOrder(bed.program(), { order: 'start', name: 'slow' }, { wait: true, timeout: 300 });

    await expect(failure).rejects.toThrow('slow in default is not that far: it starts: ErrorUnschedulable');
    expect(exitCodeOf(await failure.catch((error: unknown) => error))).toBe(5);
  });

  it('ends with 1 when the machine fails, and says where to look', async () => {
    await bed.machine('bad');

    const failure = runOrder(bed.program(), { order: 'start', name: 'bad' }, WAIT).catch((error: unknown) => error);
    await until((machine) => machine?.status?.stateChangeRequests?.[0]?.action === 'Start', 'bad');
    await bed.instance('bad', { phase: 'Failed', reason: 'GuestCrashed' });

    expect(await failure).toMatchObject({
      message: 'bad in default has failed: Failed, GuestCrashed\nsmalt logs -n default bad shows its log',
    });
    expect(exitCodeOf(await failure)).toBe(1);
  });

  it('does not take the end of an earlier run for the end of this one', async () => {
    const instances = bed.controller.resource(virtualMachineInstanceKind);
    await bed.machine('again');
    await bed.instance('again', { phase: 'Failed' });
    const { uid = '' } = (await instances.get('again', { namespace: 'default' })).metadata;
    const startFailure = { consecutiveFailCount: 1, lastFailedVMIUID: uid };
    await setStatus('again', { printableStatus: 'CrashLoopBackOff', startFailure });
    const program = bed.program({ columns: 80, rows: 24 });

    const running = runOrder(program, { order: 'start', name: 'again' }, WAIT);
    await Promise.race([running, drawn(program, 'again starts: CrashLoopBackOff')]);
    await instances.patch('again', 'merge', { metadata: { finalizers: null } }, { namespace: 'default' });
    await instances.delete('again', { namespace: 'default' });
    await bed.instance('again');
    await running;

    expect(program.printed().split('\n').at(-2)).toBe('again runs on n1');
  });

  it.each([
    ['start', 'none', 3, 'there is no virtual machine none in default: kubectl get vms -A'],
    ['pause', 'none', 3, 'there is no running machine none in default'],
    ['start', 'a', 4, 'a in default: VM is already running'],
  ] as const)('%s of %s ends with %d and the next step', async (order, name, code, message) => {
    const failure = runOrder(bed.program(), { order, name }, GO);

    await expect(failure).rejects.toThrow(message);
    expect(exitCodeOf(await failure.catch((error: unknown) => error))).toBe(code);
  });
});

describe('smalt pause and stop', () => {
  it('go to the node at once, or wait until it is so', async () => {
    await bed.machine('p');
    await bed.instance('p');
    const [at, waiting] = [bed.program(), bed.program()];

    await runOrder(at, { order: 'pause', name: 'p' }, GO);
    const paused = runOrder(waiting, { order: 'pause', name: 'p' }, WAIT);
    await expect.poll(() => bed.asked.filter((each) => each.endsWith('/p/pause')).length).toBe(2);
    await bed.controller
      .resource(virtualMachineInstanceKind)
      .patch(
        'p',
        'merge',
        { status: { conditions: [{ type: 'Paused', status: 'True', lastTransitionTime: new Date().toISOString() }] } },
        { namespace: 'default' },
      );
    await paused;

    expect([at.printed(), waiting.printed()]).toEqual(['p stands still\n', 'p stands still\n']);
    expect(bed.asked).toContain('PUT /v1/namespaces/default/virtualmachineinstances/p/pause');
  });

  it('stop waits until the guest has ended', async () => {
    await bed.machine('s');
    await bed.instance('s');
    const program = bed.program();

    const stopped = runOrder(program, { order: 'stop', name: 's' }, WAIT);
    await Promise.race([
      stopped,
      until((machine) => machine?.status?.stateChangeRequests?.[0]?.action === 'Stop', 's'),
    ]);
    await bed.controller
      .resource(virtualMachineInstanceKind)
      .patch('s', 'merge', { status: { phase: 'Succeeded' } }, { namespace: 'default' });
    await stopped;

    expect(program.printed()).toBe('s is off\n');
  });
});

describe('smalt migrate', () => {
  it('shows how far it is, in one line that is written over', async () => {
    await bed.instance('m');
    bed.tell = async (stream) => {
      await stream.writeText(`${JSON.stringify({ at: 'now', migration: MOVE })}\n`);
      for await (const bytes of stream) expect(bytes.length).toBe(0);
    };
    const program = bed.program({ columns: 120, rows: 24 });

    const moved = runMigrate(program, 'm', WAIT);
    const name = await migrationOf('m');
    await phase(name, { phase: 'Scheduling' });
    await drawn(program, 'a host is being looked for');
    await phase(name, { phase: 'Running', migrationState: { sourceNode: 'n1', targetNode: 'n2' } });
    await drawn(program, '75 %  256 MiB left, 100 MiB/s, guest writes 4 MiB/s, downtime 0.1 s');
    await phase(name, { phase: 'Succeeded', migrationState: { sourceNode: 'n1', targetNode: 'n2' } });
    await moved;

    expect(program.printed()).toContain('\u001B[1A\r\u001B[J');
    expect(program.printed().split('\n').at(-2)).toBe('m has moved, n1 → n2');
  });

  it('says why a machine stays, and ends with 1', async () => {
    await bed.instance('stays');
    const moved = runMigrate(bed.program(), 'stays', WAIT);
    const failure = moved.catch((error: unknown) => error);

    await phase(await migrationOf('stays'), { phase: 'Failed', migrationState: { failureReason: 'no room' } });

    expect(await failure).toMatchObject({ message: 'stays in default stays where it is: no room' });
    expect(exitCodeOf(await failure)).toBe(1);
  });

  it('asks for a host by its label, and for nothing that is not there', async () => {
    await bed.instance('t', { phase: 'Running', nodeName: 'n2' });
    const program = bed.program();

    await runMigrate(program, 't', { ...GO, to: 'n1' });

    const migration = await bed.admin
      .resource(virtualMachineInstanceMigrationKind)
      .get(await migrationOf('t'), { namespace: 'default' });
    expect(migration.spec.addedNodeSelector).toEqual({ 'kubernetes.io/hostname': 'n1' });
    expect(program.printed()).toMatch(/^t is being moved: kubectl -n default get vmim t-\w+ -w/);
    await expect(runMigrate(bed.program(), 't', { ...GO, to: 'n9' })).rejects.toThrow('--to: there is no host n9');
    await expect(runMigrate(bed.program(), 't', { ...GO, to: 'n2' })).rejects.toThrow('t is on n2 already');
  });
});

const MOVE = {
  mode: 'PreCopy',
  totalBytes: 1_073_741_824,
  processedBytes: 805_306_368,
  remainingBytes: 268_435_456,
  bytesPerSecond: 104_857_600,
  dirtyBytesPerSecond: 4_194_304,
  downtimeMs: 120,
  elapsedMs: 8_000,
  iteration: 1,
  throttlePercent: 0,
};

async function until(
  isThere: (machine: Awaited<ReturnType<typeof machineOf>> | undefined) => boolean,
  name: string,
): Promise<void> {
  const stop = new AbortController();
  const machines = bed.admin.resource(virtualMachineKind);
  for await (const { objects } of watchObjects(machines, { namespace: 'default' }, stop.signal)) {
    if (isThere(objects.get(`default/${name}`))) stop.abort();
  }
}

async function machineOf(name: string) {
  return await bed.admin.resource(virtualMachineKind).get(name, { namespace: 'default' });
}

async function setStatus(name: string, status: object): Promise<void> {
  const options = { namespace: 'default', subresource: 'status' };
  await bed.admin.resource(virtualMachineKind).patch(name, 'merge', { status }, options);
}

async function migrationOf(instance: string): Promise<string> {
  const stop = new AbortController();
  const migrations = bed.admin.resource(virtualMachineInstanceMigrationKind);
  let found = '';
  for await (const { objects } of watchObjects(migrations, { namespace: 'default' }, stop.signal)) {
    found = [...objects.values()].find(({ spec }) => spec.vmiName === instance)?.metadata.name ?? '';
    if (found !== '') stop.abort();
  }
  return found;
}

async function phase(name: string, status: VirtualMachineInstanceMigration['status']): Promise<void> {
  const options = { namespace: 'default', subresource: 'status' };
  await bed.admin.resource(virtualMachineInstanceMigrationKind).patch(name, 'merge', { status }, options);
}

async function drawn(program: KeptProgram, text: string): Promise<void> {
  await expect.poll(program.printed, { timeout: 10_000, interval: 20 }).toContain(text);
}
