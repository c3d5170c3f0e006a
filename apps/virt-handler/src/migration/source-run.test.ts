import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';

import { startHost, startNetwork, type BedHost } from '@smalt/bed-libvirt';
import { systemClock } from '@smalt/controller-runtime';
import { LibvirtError } from '@smalt/libvirt';
import { createLogger } from '@smalt/service-runtime';
import { MIGRATION_DEFAULTS } from '@smalt/vm-lifecycle';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { failed, type Verdict } from '../sync/decide/verdict.ts';
import { InstanceDirectories } from '../sync/end/instance-directories.ts';
import { anInstance } from '../sync/fixtures/an-instance.ts';
import { ComingPeer } from './coming-peer.ts';
import { PlayedSource } from './fixtures/played-source.ts';
import { endedState, type EndedMigration } from './source-outcome.ts';
import type { SourceRunOptions } from './source-run-options.ts';
import { SourceRun } from './source-run.ts';

const UNREACHABLE = 'qemu+tcp://127.0.0.1:1/system';
const MOST_LOOKS = 20;
const WRITTEN_OFF = { ...failed('LostInMigration', 'the guest may have run at the target'), migrationUid: 'm-2' };
const SILENT = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
const UNREADABLE = { read: failToRead, writeVerdict: failToRead };
const instance = anInstance({ migrationState: { migrationUid: 'm-2' } });
let root: string;
let directories: InstanceDirectories;
let source: PlayedSource;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'smalt-source-run-'));
  directories = new InstanceDirectories(root, { nodeName: 'node-1', bootId: 'boot-1' });
  await directories.prepare(instance, 'pod-1');
  source = new PlayedSource();
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('a migration whose guest can go on nowhere', () => {
  it('is written down before the guest is ended, with the reason that the migration fails for', async () => {
    let written: Verdict | undefined;
    source.onEnd = async () => void (written = await readVerdict());

    const ended = await runToEnd({ isTargetOff: async () => true });

    const message = expect.stringContaining('may have run at the target');
    expect(ended?.outcome).toEqual({ kind: 'lost', reason: message });
    expect(written).toEqual({ phase: 'Failed', reason: 'LostInMigration', message, migrationUid: 'm-2' });
    expect(source.isThere).toBe(false);
  });

  it('is told by the next handler as it was written, though the guest is gone as if it had moved', async () => {
    await directories.writeVerdict(instance, WRITTEN_OFF);
    source.isThere = false;

    const ended = await runToEnd({});

    expect(ended?.outcome).toEqual({ kind: 'lost', reason: WRITTEN_OFF.message });
  });

  it('is told as a handler wrote it that did not write of which migration', async () => {
    await directories.writeVerdict(instance, failed('LostInMigration', WRITTEN_OFF.message));
    source.isThere = false;

    const ended = await runToEnd({});

    expect(ended?.outcome).toEqual({ kind: 'lost', reason: WRITTEN_OFF.message });
  });

  it('ends the guest that an earlier handler had only written off, also when nothing proves it any more', async () => {
    await directories.writeVerdict(instance, WRITTEN_OFF);
    source.silences = 2;

    const ended = await runToEnd({});

    expect(ended?.outcome).toEqual({ kind: 'lost', reason: WRITTEN_OFF.message });
    expect([source.isThere, source.isLetGo]).toEqual([false, false]);
  });

  it('is not sent once more, but ended, when somebody has let it go on meanwhile', async () => {
    const onSend = vi.fn<() => Promise<void>>();
    Object.assign(source, { runs: true, onSend });
    await directories.writeVerdict(instance, WRITTEN_OFF);

    const ended = await runToEnd({ ...sending(async () => Object({})), isFresh: false });

    expect(ended?.outcome).toEqual({ kind: 'lost', reason: WRITTEN_OFF.message });
    expect(source.isThere).toBe(false);
    expect(onSend).not.toHaveBeenCalled();
  });

  it.each([
    { what: 'is one that has moved when it is gone', isThere: false, kind: 'moved' },
    { what: 'goes on when nothing speaks against it', isThere: true, kind: 'stayed' },
  ])('of an earlier one says nothing of this: its guest $what', async ({ isThere, kind }) => {
    await directories.writeVerdict(instance, { ...WRITTEN_OFF, migrationUid: 'm-1' });
    Object.assign(source, { isThere, runs: isThere });

    const ended = await runToEnd({});

    expect([ended?.outcome.kind, source.isThere]).toEqual([kind, isThere]);
  });

  it('has moved all the same once the target has said that it runs the guest', async () => {
    source.runs = true;
    source.onSend = () => directories.writeVerdict(instance, WRITTEN_OFF).then(() => undefined);
    source.onConfirm = () => Promise.reject(new LibvirtError('internal-error', 'the source is busy', { number: 1 }));
    source.onEnd = async () => {
      source.onEnd = async () => undefined;
      throw new LibvirtError('timeout', 'libvirt does not answer');
    };

    const ended = await runToEnd(sending(async () => Object({ cookieOut: new Uint8Array(), domain: {} })));

    expect([ended?.outcome.kind, source.isThere]).toEqual(['moved', false]);
  });

  it('is ended, and a word of that is in the log, when this node has no record to write to', async () => {
    await directories.remove('u-1');
    const warn = vi.fn<() => void>();

    const ended = await runToEnd({ isTargetOff: async () => true, logger: Object({ ...SILENT, warn }) });

    expect([ended?.outcome.kind, source.isThere]).toEqual(['lost', false]);
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ instance: 'guest', reason: expect.stringContaining('may have run at the target') }),
      expect.stringContaining('no record'),
    );
  });
});

describe('a migration of a guest whose record', () => {
  it('is not looked for where this process announced it: a failed one leaves the guest to its source', async () => {
    const ended = await runToEnd({ ...failing(), directories: UNREADABLE });

    expect([ended?.outcome.kind, source.isThere, source.isLetGo]).toEqual(['stayed', true, true]);
  });

  it('is looked for once: a failed one leaves the guest to its source', async () => {
    const read = vi.fn<InstanceDirectories['read']>(UNREADABLE.read).mockResolvedValueOnce(undefined);

    const ended = await runToEnd({ ...failing(), isFresh: false, directories: { ...UNREADABLE, read } });

    expect([ended?.outcome.kind, source.isLetGo]).toEqual(['stayed', true]);
  });

  it('cannot be read stands still, whatever is asked for, while an earlier handler may have written it off', async () => {
    const tell = vi.fn<(run: SourceRun) => void>();

    const ended = await runToEnd({ directories: UNREADABLE }, tell);

    expect([ended, source.isThere, source.isLetGo]).toEqual([undefined, true, false]);
    expect(tell).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ doubt: expect.stringContaining('EIO: i/o error, read') }),
    );
  });

  it.each([
    { what: 'that runs stays here', guest: { runs: true }, kind: 'stayed' },
    { what: 'that stands still is not touched', guest: {}, kind: undefined },
    { what: 'that is gone is not taken for one that has moved', guest: { isThere: false }, kind: undefined },
  ])('cannot be read and $what when the migration is given up', async ({ guest, kind }) => {
    Object.assign(source, guest);
    const before = source.isThere;

    const ended = await runToEnd({ directories: UNREADABLE }, undefined, 'it was aborted');

    expect([ended?.outcome.kind, source.isThere, source.isLetGo]).toEqual([kind, before, false]);
  });

  it('could not be read for a while is followed once it can be', async () => {
    await directories.writeVerdict(instance, WRITTEN_OFF);
    let failures = 3;
    const read = async (uid: string) => (failures-- > 0 ? UNREADABLE.read() : directories.read(uid));

    const ended = await runToEnd({ directories: { ...UNREADABLE, read } });

    expect(ended?.outcome).toEqual({ kind: 'lost', reason: WRITTEN_OFF.message });
    expect([source.isThere, source.isLetGo]).toEqual([false, false]);
  });

  it('cannot be written to stands still until it can be, and says so, also when nothing proves its loss any more', async () => {
    const doubts: (string | undefined)[] = [];
    let failures = 3;
    let isOff = true;
    const writeVerdict: InstanceDirectories['writeVerdict'] = async (about, verdict) => {
      isOff = false;
      if (failures-- > 0) throw full(`/state/.record.${failures}.smalt-draft`);
      return directories.writeVerdict(about, verdict);
    };

    const ended = await runToEnd(
      { isTargetOff: async () => isOff, directories: { read: (uid) => directories.read(uid), writeVerdict } },
      ({ doubt }) => doubts.push(doubt),
    );

    expect(doubts).toEqual([
      expect.stringMatching(/may have run at the target.*ENOSPC: no space left on device$/u),
      undefined,
    ]);
    expect([ended?.outcome.kind, source.isThere, source.isLetGo]).toEqual(['lost', false, false]);
    expect(await readVerdict()).toMatchObject({ reason: 'LostInMigration', migrationUid: 'm-2' });
  });
});

describe('a migration whose target has no such domain', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let target: BedHost;

  beforeAll(async () => {
    const network = owned.use(await startNetwork());
    target = owned.use(await startHost({ network, name: 'hv2' }));
  }, 60_000);

  afterAll(() => owned.disposeAsync());

  it.each([
    { what: 'ends the guest', when: 'was booted since it began', startedAt: 0, kind: 'lost', isThere: false },
    { what: 'lets the guest go on', when: 'was up before', startedAt: Date.now(), kind: 'stayed', isThere: true },
  ])('$what at its source when that target $when', async ({ startedAt, kind, isThere }) => {
    const ended = await runToEnd({ peerUri: `qemu+tcp://${target.address}/system`, startedAt });

    expect(ended?.outcome.kind).toBe(kind);
    expect(ended && endedState({}, ended)).toMatchObject({ completed: true, failed: true });
    expect([source.isThere, source.isLetGo]).toEqual([isThere, isThere]);
  });

  it.each([undefined, 'it was aborted'])(
    'leaves the guest alone while a record may say that it is lost (%s)',
    async (giveUp) => {
      const change = { peerUri: `qemu+tcp://${target.address}/system`, startedAt: Date.now(), directories: UNREADABLE };

      const ended = await runToEnd(change, undefined, giveUp);

      expect([ended, source.isThere, source.isLetGo]).toEqual([undefined, true, false]);
    },
  );

  it.each([
    { what: 'lets the guest go on', when: 'before', jumps: [2, 0], kind: 'stayed', isThere: true },
    { what: 'ends the guest', when: 'after', jumps: [0, 2], kind: 'lost', isThere: false },
  ])(
    '$what that took longer than that target is up $when it was asked to run it',
    async ({ jumps: [before = 0, after = 0], kind, isThere }) => {
      let time = 0;
      source.runs = true;
      source.onSend = async () => void (time += before * uptime() * 1000);
      const finish = async (): Promise<never> => {
        time += after * uptime() * 1000;
        throw new LibvirtError('connection-lost', 'the target does not answer');
      };

      const ended = await runToEnd({
        ...sending(finish),
        peerUri: `qemu+tcp://${target.address}/system`,
        clock: { ...systemClock, monotonic: () => time },
      });

      expect(ended?.outcome.kind).toBe(kind);
      expect([source.isThere, source.isLetGo]).toEqual([isThere, isThere]);
    },
  );
});

it('takes a guest that is gone for one that has moved where nothing else was written of its end', async () => {
  source.isThere = false;

  expect((await runToEnd({}))?.outcome).toEqual({ kind: 'moved' });
});

async function readVerdict(): Promise<Verdict | undefined> {
  return (await directories.read('u-1'))?.verdict;
}

/** A migration that this handler begins, to a target that answers so when it is asked to let the guest run. */
function sending(domainMigrateFinish3Params: () => Promise<object>): Partial<SourceRunOptions> {
  const peer = {
    closed: new Promise(() => undefined),
    domainMigratePrepare3Params: async () => ({ cookieOut: new Uint8Array() }),
    domainMigrateFinish3Params,
    [Symbol.asyncDispose]: async () => undefined,
  };
  const comingPeer = new ComingPeer(UNREACHABLE, async () => Object(peer));
  return { isFresh: true, comingPeer, comingPlan: Promise.resolve({ flags: 0, parameters: {} }) };
}

/** A migration that this handler begins, which fails when the guest stands still and before the target is asked to let it run. */
function failing(): Partial<SourceRunOptions> {
  let silences = 1;
  const domainResume = async (): Promise<void> => {
    if (silences-- > 0) throw new LibvirtError('timeout', 'libvirt does not answer');
    source.isLetGo = true;
  };
  const domainMigratePerform3Params = async (): Promise<never> => {
    source.runs = false;
    throw new LibvirtError('internal-error', 'the card is gone', { number: 1 });
  };
  source.runs = true;
  return {
    ...sending(async () => Object({})),
    session: Object({ ...source.session, domainMigratePerform3Params, domainResume }),
  };
}

async function failToRead(): Promise<never> {
  throw new Error('EIO: i/o error, read');
}

/** What a full disk answers, whose name is another one each time. */
function full(path: string): Error {
  const message = `ENOSPC: no space left on device, open '${path}'`;
  return Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'open', path });
}

/** What a handler concludes that did not begin the migration itself; undefined when it has looked often enough. */
async function runToEnd(
  change: Partial<SourceRunOptions>,
  onChange: (run: SourceRun) => void = () => undefined,
  giveUp?: string,
): Promise<EndedMigration | undefined> {
  let looks = 0;
  const wait = async (): Promise<void> => {
    looks++;
    if (looks > MOST_LOOKS) void run.stop();
  };
  const run = new SourceRun({
    key: 'default/guest',
    instance,
    directories,
    session: Object(source.session),
    peerUri: UNREACHABLE,
    settings: MIGRATION_DEFAULTS,
    canEncrypt: false,
    patience: { intervalMs: 500, count: 3 },
    startedAt: 0,
    isFresh: false,
    isTargetOff: async () => false,
    clock: { ...systemClock, wait },
    logger: SILENT,
    ignore: () => undefined,
    onChange: () => onChange(run),
    ...change,
  });
  if (giveUp !== undefined) run.giveUp(giveUp);
  await run.done;
  return run.ended;
}
