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
import { SourceRun, type SourceRunOptions } from './source-run.ts';

const UNREACHABLE = 'qemu+tcp://127.0.0.1:1/system';
const MOST_LOOKS = 20;
const WRITTEN_OFF = { ...failed('LostInMigration', 'the guest may have run at the target'), migrationUid: 'm-2' };
const SILENT = createLogger({ name: 'test', level: 'silent', destination: process.stderr });
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

    const ended = await runToEnd(sending(async () => Object({})));

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

/** What a handler concludes that did not begin the migration itself; undefined when it has looked often enough. */
async function runToEnd(change: Partial<SourceRunOptions>): Promise<EndedMigration | undefined> {
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
    onChange: () => undefined,
    ...change,
  });
  await run.done;
  return run.ended;
}
