import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startHost, startNetwork, type BedHost } from '@smalt/bed-libvirt';
import { systemClock } from '@smalt/controller-runtime';
import { createLogger } from '@smalt/service-runtime';
import { MIGRATION_DEFAULTS } from '@smalt/vm-lifecycle';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { failed, type Verdict } from '../sync/decide/verdict.ts';
import { InstanceDirectories } from '../sync/end/instance-directories.ts';
import { anInstance } from '../sync/fixtures/an-instance.ts';
import { PlayedSource } from './fixtures/played-source.ts';
import { endedState, type EndedMigration } from './source-outcome.ts';
import { SourceRun, type SourceRunOptions } from './source-run.ts';

const UNREACHABLE = 'qemu+tcp://127.0.0.1:1/system';
const MOST_LOOKS = 20;
const WRITTEN_OFF = failed('LostInMigration', 'the guest may have run at the target');
const instance = anInstance();
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
    expect(written).toEqual({ phase: 'Failed', reason: 'LostInMigration', message });
    expect(source.isThere).toBe(false);
  });

  it('is told by the next handler as it was written, though the guest is gone as if it had moved', async () => {
    await directories.writeVerdict(instance, WRITTEN_OFF);
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
});

it('takes a guest that is gone for one that has moved where nothing else was written of its end', async () => {
  source.isThere = false;

  expect((await runToEnd({}))?.outcome).toEqual({ kind: 'moved' });
});

async function readVerdict(): Promise<Verdict | undefined> {
  return (await directories.read('u-1'))?.verdict;
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
    logger: createLogger({ name: 'test', level: 'silent', destination: process.stderr }),
    ignore: () => undefined,
    onChange: () => undefined,
    ...change,
  });
  await run.done;
  return run.ended;
}
