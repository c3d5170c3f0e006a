import type { XdrWriter } from '@smalt/xdr';
import { describe, expect, it } from 'vitest';

import { connect } from '../connect.ts';
import type { Connection } from '../connection.ts';
import { FakeDaemon, type FakeCall } from '../fake-daemon/fake-daemon.ts';
import { DomainMigrateFlags } from '../generated/constants.gen.ts';
import { procedures } from '../generated/procedures.gen.ts';
import { turns, until } from '../fake-daemon/turns.ts';
import { writeDomain } from '../generated/structs.gen.ts';
import { LibvirtError } from '../libvirt-error.ts';
import { migrateToUri } from './migrate-to-uri.ts';
import { migrate, type MigrateDestination } from './migrate.ts';

const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
const moved = { ...domain, id: 9 };
const PAUSED = 3;

describe('migrate', () => {
  it('takes the five steps in order, and passes each one what the one before it said', async () => {
    await using world = await fakeWorld();

    const result = await migrate(world.source, world.destination, { domain, parameters: { bandwidth: 7n } });

    expect(result).toEqual({ domain: moved });
    expect(world.steps).toEqual([
      'source begin',
      'source state',
      'destination prepare begin-cookie',
      'source perform prepare-cookie',
      'destination finish perform-cookie cancelled=0',
      'source confirm finish-cookie cancelled=0',
    ]);
  });

  it('asks the destination to leave a paused domain paused', async () => {
    await using world = await fakeWorld({ state: PAUSED });

    await migrate(world.source, world.destination, { domain });

    expect(world.flags('prepare') & DomainMigrateFlags.paused).not.toBe(0);
  });

  it('keeps from the destination what only the source can do', async () => {
    await using world = await fakeWorld();
    const { live, autoConverge, abortOnError } = DomainMigrateFlags;

    await migrate(world.source, world.destination, { domain, flags: live | autoConverge | abortOnError });

    expect(world.flags('begin') & (autoConverge | abortOnError)).not.toBe(0);
    expect(world.flags('prepare') & (autoConverge | abortOnError)).toBe(0);
  });

  it('lets the source go on when the destination cannot prepare', async () => {
    await using world = await fakeWorld({ failing: { prepare: 'no room' } });

    const migration = migrate(world.source, world.destination, { domain });

    await expect(migration).rejects.toMatchObject({ code: 'operation-failed', message: 'no room' });
    expect(world.steps.slice(2)).toEqual(['destination prepare begin-cookie', 'source confirm  cancelled=1']);
  });

  it('has the destination forget the domain when the source cannot send it, and tells what both say', async () => {
    await using world = await fakeWorld({ failing: { perform: 'pipe broke', finish: 'guest is gone' } });

    const migration = migrate(world.source, world.destination, { domain });

    await expect(migration).rejects.toMatchObject({
      code: 'operation-failed',
      message: 'pipe broke; the destination says: guest is gone',
    });
    expect(world.steps.slice(3)).toEqual(['source perform prepare-cookie', 'destination finish  cancelled=1']);
  });

  it('lets the source go on when the destination cannot take over', async () => {
    await using world = await fakeWorld({ failing: { finish: 'cannot resume' } });

    const migration = migrate(world.source, world.destination, { domain });

    await expect(migration).rejects.toMatchObject({ message: 'cannot resume' });
    expect(world.steps.at(-1)).toBe('source confirm  cancelled=1');
  });

  it('leaves the source paused when it cannot be known whether the destination took over', async () => {
    await using world = await fakeWorld({ losing: 'finish' });

    const migration = migrate(world.source, world.destination, { domain });

    await expect(migration).rejects.toMatchObject({
      code: 'connection-lost',
      message: expect.stringContaining('paused'),
    });
    expect(world.steps.filter((step) => step.includes('confirm'))).toEqual([]);
  });

  it('leaves the source paused when the answer of the destination cannot be understood', async () => {
    await using world = await fakeWorld({ garbling: 'finish' });

    const migration = migrate(world.source, world.destination, { domain });

    await expect(migration).rejects.toMatchObject({ code: 'protocol', message: expect.stringContaining('paused') });
    expect(world.steps.filter((step) => step.includes('confirm'))).toEqual([]);
  });

  it.each([
    ['timeout', 'leaves the source paused'],
    ['aborted', 'leaves the source paused'],
    ['closed', 'leaves the source paused'],
    ['queue-full', 'lets the source go on'],
  ] as const)('after a finish that failed with %s it %s', async (code, outcome) => {
    await using world = await fakeWorld();
    const destination: MigrateDestination = {
      closed: world.destination.closed,
      domainMigratePrepare3Params: (args, options) => world.destination.domainMigratePrepare3Params(args, options),
      domainMigrateFinish3Params: () => Promise.reject(new LibvirtError(code, 'no answer')),
    };

    const migration = migrate(world.source, destination, { domain });

    await expect(migration).rejects.toMatchObject({ code, message: expect.stringContaining('no answer') });
    const confirms = world.steps.filter((step) => step.includes('confirm'));
    expect(confirms).toEqual(outcome === 'lets the source go on' ? ['source confirm  cancelled=1'] : []);
  });

  it('aborts the job on the source when the destination vanishes while memory is sent', async () => {
    await using world: FakeWorld = await fakeWorld({
      hanging: 'perform',
      onHanging: () => world.destination.destroy(),
    });

    const migration = migrate(world.source, world.destination, { domain });

    await expect(migration).rejects.toMatchObject({ code: 'closed', message: expect.stringContaining('was lost') });
    expect(world.steps.slice(-2)).toEqual(['source perform prepare-cookie', 'source abort']);
  });

  it('ends the job on the source when the state of the domain cannot be told', async () => {
    await using world = await fakeWorld({ failing: { state: 'monitor is busy' } });

    const migration = migrate(world.source, world.destination, { domain });

    await expect(migration).rejects.toMatchObject({ message: 'monitor is busy' });
    expect(world.steps).toEqual(['source begin', 'source state', 'source confirm  cancelled=1']);
  });

  it('says that the source was not told of the success', async () => {
    await using world = await fakeWorld({ failing: { confirm: 'out of order' } });

    const result = await migrate(world.source, world.destination, { domain });

    expect(result).toMatchObject({ domain: moved, leftBehind: { message: 'out of order' } });
  });

  it('aborts the job at the daemon when the signal fires', async () => {
    const controller = new AbortController();
    await using world = await fakeWorld({ hanging: 'perform', onHanging: () => controller.abort(new Error('enough')) });

    const migration = migrate(world.source, world.destination, { domain, signal: controller.signal });

    await expect(migration).rejects.toMatchObject({ code: 'aborted', cause: { message: 'aborted by client' } });
    expect(world.steps.slice(3)).toEqual([
      'source perform prepare-cookie',
      'source abort',
      'destination finish  cancelled=1',
    ]);
  });

  it('begins nothing when the signal has fired already', async () => {
    await using world = await fakeWorld();

    const migration = migrate(world.source, world.destination, { domain, signal: AbortSignal.abort() });

    await expect(migration).rejects.toMatchObject({ code: 'aborted' });
    expect(world.steps).toEqual([]);
  });

  it.each<{ step: Step; flags: number; undone: string[] }>([
    { step: 'begin', flags: 0, undone: ['source state', 'source confirm  cancelled=1'] },
    { step: 'prepare', flags: 0, undone: ['destination finish  cancelled=1', 'source confirm  cancelled=1'] },
    {
      step: 'prepare',
      flags: DomainMigrateFlags.offline,
      undone: ['destination finish  cancelled=1', 'source confirm  cancelled=1'],
    },
  ])('ends what was begun when the signal fires during $step with flags $flags', async ({ step, flags, undone }) => {
    const controller = new AbortController();
    await using world = await fakeWorld({ on: { [step]: () => controller.abort() } });

    const migration = migrate(world.source, world.destination, { domain, flags, signal: controller.signal });

    await expect(migration).rejects.toMatchObject({ code: 'aborted' });
    expect(world.steps.slice(world.steps.findIndex((each) => each.includes(step)) + 1)).toEqual(undone);
  });

  it('is given up at once while it waits for its turn to send the memory', async () => {
    const controller = new AbortController();
    await using world = await fakeWorld({ hanging: 'perform', maxLongCalls: 1 });
    const other = migrateToUri(world.source, { domain, destinationUri: 'qemu+tcp://hv3/system' });
    other.catch(() => undefined);
    await until(() => world.steps.length > 0);

    const migration = migrate(world.source, world.destination, { domain, signal: controller.signal });
    await until(() => world.steps.some((step) => step.includes('prepare')));
    await turns(20);
    controller.abort();

    await expect(migration).rejects.toMatchObject({ code: 'aborted' });
    expect(world.steps.slice(-2)).toEqual(['destination finish  cancelled=1', 'source confirm  cancelled=1']);
    expect(world.steps.filter((step) => /perform|abort/.test(step))).toEqual(['source perform ']);
  });

  it('refuses what only daemons among themselves can do', async () => {
    await using world = await fakeWorld();

    const migration = migrate(world.source, world.destination, { domain, flags: DomainMigrateFlags.tunnelled });

    await expect(migration).rejects.toMatchObject({ code: 'invalid-arg', message: expect.stringContaining('flags') });
  });
});

describe('migrateToUri', () => {
  it('has the source do it all', async () => {
    await using world = await fakeWorld();

    await migrateToUri(world.source, { domain, destinationUri: 'qemu+tcp://hv2/system' });

    expect(world.steps).toEqual(['source perform ']);
    expect(world.flags('perform')).toBe(DomainMigrateFlags.live | DomainMigrateFlags.peer2peer);
  });

  it('aborts the job at the daemon when the signal fires', async () => {
    const controller = new AbortController();
    await using world = await fakeWorld({ hanging: 'perform', onHanging: () => controller.abort() });

    const options = { domain, destinationUri: 'qemu+tcp://hv2/system', signal: controller.signal };

    await expect(migrateToUri(world.source, options)).rejects.toMatchObject({ code: 'aborted' });
    expect(world.steps).toEqual(['source perform ', 'source abort']);
  });
});

type Step = 'begin' | 'state' | 'prepare' | 'perform' | 'finish' | 'confirm' | 'abort';

const stepOf: Readonly<Record<number, Step>> = {
  [procedures.domainMigrateBegin3Params.number]: 'begin',
  [procedures.domainGetState.number]: 'state',
  [procedures.domainMigratePrepare3Params.number]: 'prepare',
  [procedures.domainMigratePerform3Params.number]: 'perform',
  [procedures.domainMigrateFinish3Params.number]: 'finish',
  [procedures.domainMigrateConfirm3Params.number]: 'confirm',
  [procedures.domainAbortJob.number]: 'abort',
};

interface Script {
  readonly state?: number;
  readonly failing?: Partial<Record<Step, string>>;
  /** The connection breaks in this step. */
  readonly losing?: Step;
  /** The reply to this step cannot be decoded. */
  readonly garbling?: Step;
  /** Called when a step arrives. */
  readonly on?: Partial<Record<Step, () => void>>;
  readonly maxLongCalls?: number;
  /** This step is not answered until it is aborted. */
  readonly hanging?: Step;
  readonly onHanging?: () => void;
}

interface FakeWorld extends AsyncDisposable {
  readonly source: Connection;
  readonly destination: Connection;
  readonly steps: string[];
  flags(step: Step): number;
}

async function fakeWorld(script: Script = {}): Promise<FakeWorld> {
  const steps: string[] = [];
  const flags = new Map<Step, number>();
  let hanging: FakeCall | undefined;
  const handle = (who: string) => (call: FakeCall) => {
    const step = stepOf[call.header.procedure];
    if (step === undefined) throw new Error(`procedure ${call.header.procedure} was not expected`);
    steps.push([who, step, ...detailsOf(step, call, flags)].join(' '));
    script.on?.[step]?.();
    const failure = script.failing?.[step];
    if (script.losing === step) call.socket.destroy();
    else if (failure !== undefined) call.fail(9, failure);
    else if (script.hanging === step) {
      hanging = call;
      script.onHanging?.();
    } else if (script.garbling === step) call.reply({ payload: Buffer.from([1]) });
    else call.reply({ payload: (writer) => answer(writer, step, script) });
    if (step === 'abort') hanging?.fail(78, 'aborted by client');
  };
  const owned = new AsyncDisposableStack();
  const daemons = [await FakeDaemon.listen(handle('source')), await FakeDaemon.listen(handle('destination'))];
  for (const daemon of daemons) owned.use(daemon);
  const [source, destination] = await Promise.all(
    daemons.map((daemon) => connect(daemon.uri, { maxLongCalls: script.maxLongCalls ?? 4 })),
  );
  if (source === undefined || destination === undefined) throw new Error('no connection');
  owned.defer(() => source.destroy());
  owned.defer(() => destination.destroy());
  return {
    source,
    destination,
    steps,
    flags: (step) => flags.get(step) ?? 0,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The cookie and the mark of cancellation, taken from the end of the arguments where they stand. */
function detailsOf(step: Step, call: FakeCall, flags: Map<Step, number>): string[] {
  if (step === 'state' || step === 'abort') return [];
  const hasCancelled = step === 'finish' || step === 'confirm';
  const flagsAt = call.payload.length - (hasCancelled ? 8 : 4);
  flags.set(step, call.payload.readUInt32BE(flagsAt));
  if (step === 'begin') return [];
  const cookie = /(begin|prepare|perform|finish)-cookie/.exec(call.payload.toString('latin1'))?.[0] ?? '';
  return hasCancelled ? [cookie, `cancelled=${call.payload.readInt32BE(flagsAt + 4)}`] : [cookie];
}

function answer(writer: XdrWriter, step: Step, script: Script): void {
  const cookie = Buffer.from(`${step}-cookie`);
  switch (step) {
    case 'begin':
      writer.opaque(cookie);
      writer.string('<domain/>');
      break;
    case 'state':
      writer.int32(script.state ?? 1);
      writer.int32(0);
      break;
    case 'prepare':
      writer.opaque(cookie);
      writer.bool(true);
      writer.string('tcp://hv2:49152');
      break;
    case 'perform':
      writer.opaque(cookie);
      break;
    case 'finish':
      writeDomain(writer, moved);
      writer.opaque(cookie);
      break;
    case 'confirm':
    case 'abort':
      break;
  }
}
