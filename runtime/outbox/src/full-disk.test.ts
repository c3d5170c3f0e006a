import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openOutbox, type OutboxOptions } from './open-outbox.ts';
import { EVERYTHING, bodies, drafts, numbersOf, print, range } from './fixtures/print-entries.ts';
import type { OutboxNotice } from './outbox-notice.ts';
import type { Outbox } from './outbox.ts';
import type { OutboxDraft } from './waiting-drafts.ts';

const isRoot = process.getuid?.() === 0;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'outbox-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe.skipIf(!isRoot)('a full disk', () => {
  it('keeps what comes in memory, hands it out, and is written when there is room', async () => {
    using disk = tinyDisk(directory);
    const watch = watchNotices();
    await using outbox = await open({ onNotice: watch.onNotice, retryMs: 20 });
    await outbox.append(drafts('before'));

    disk.fill();
    const degraded = await appendUntil(outbox, () => watch.kinds.includes('degraded'));
    await outbox.append(drafts('while full'));
    const whileFull = outbox.peek(EVERYTHING);
    outbox.acknowledge(1);
    disk.free();
    await watch.until('recovered');

    expect(numbersOf(whileFull)).toEqual(range(1, degraded + 1));
    expect(outbox.state.degradedSince).toBeUndefined();
    await outbox[Symbol.asyncDispose]();
    await using again = await open();
    expect(numbersOf(again.peek(EVERYTHING))).toEqual(range(2, degraded + 1));
    expect(bodies(again).at(-1)).toBe(`${degraded + 1} while full`);
  });

  it('is bounded in memory too, and tells what was lost', async () => {
    using disk = tinyDisk(directory);
    const watch = watchNotices();
    await using outbox = await open({ onNotice: watch.onNotice, retryMs: 1e6, maxMemoryItems: 5 });
    disk.fill();
    const last = await appendUntil(outbox, () => watch.kinds.includes('degraded'));

    for (let count = 0; count < 10; count++) await outbox.append(drafts(String(count)));

    const entries = outbox.peek(EVERYTHING);
    expect(numbersOf(entries)).toEqual(range(1, last + 10));
    expect(entries.slice(-6).map(print)).toEqual([
      `${last}-${last + 5} queue-full`,
      ...range(5, 9).map((count) => `${last + 1 + count} ${count}`),
    ]);
  });

  it('does not make numbers come twice when the owner is gone before there is room', async () => {
    using disk = tinyDisk(directory);
    const watch = watchNotices();
    const first = await open({ onNotice: watch.onNotice, retryMs: 1e6 });
    disk.fill();
    const last = await appendUntil(first, () => watch.kinds.includes('degraded'));
    await first[Symbol.asyncDispose]();

    const second = watchNotices();
    await using outbox = await open({ onNotice: second.onNotice, retryMs: 20 });
    const [number] = await outbox.append(drafts('after'));
    disk.free();
    await second.until('recovered');

    const entries = outbox.peek(EVERYTHING);
    expect(number).toBe(last - 1 + 1_000_000 + 1);
    expect(entries.slice(-2).map(print)).toEqual([`${last}-${Number(number) - 1} unsaved`, `${number} after`]);
    expect(second.kinds).toEqual(['degraded', 'recovered']);
    expect(outbox.epoch).not.toBe(first.epoch);
  });

  it('lets an outbox open, which begins in memory within its bounds, and is written when there is room', async () => {
    using disk = tinyDisk(directory);
    disk.fill();
    const watch = watchNotices();
    await using outbox = await open({ onNotice: watch.onNotice, retryMs: 20, maxMemoryItems: 2 });

    expect(await outbox.append(drafts('lost', 'too'))).toEqual([1, 2]);
    expect(await outbox.append(drafts('kept', 'as well'))).toEqual([3, 4]);
    const whileFull = bodies(outbox);
    outbox.acknowledge(3);
    disk.free();
    await watch.until('recovered');

    expect(whileFull).toEqual(['1-2 queue-full', '3 kept', '4 as well']);
    expect(watch.kinds).toEqual(['degraded', 'dropped', 'recovered']);
    expect(bodies(outbox)).toEqual(['4 as well']);
  });
});

describe.skipIf(!isRoot)('a disk that can only be read at first', () => {
  it('does not keep new items from being taken out, in an epoch of their own; older ones follow them', async () => {
    const before = await fill([{ body: 'old' }, { body: 'stale', isExpendable: true }, { body: 'older' }]);
    const watch = watchNotices();
    using disk = readOnly(directory);
    await using outbox = await open({ onNotice: watch.onNotice, retryMs: 20 });

    const numbers = await outbox.append(drafts('a', 'b', 'c'));
    const { epoch } = outbox;
    const handedOut = bodies(outbox);
    outbox.acknowledge(1);
    disk.end();
    await watch.until('recovered');

    expect([numbers, handedOut]).toEqual([
      [1, 2, 3],
      ['1 a', '2 b', '3 c'],
    ]);
    expect(epoch).not.toBe(before);
    const after = ['2 b', '3 c', '4 old', '5-5 unsaved', '6 older'];
    expect([outbox.epoch, bodies(outbox)]).toEqual([epoch, after]);
    expect(await outbox.append(drafts('d'))).toEqual([7]);
    await outbox[Symbol.asyncDispose]();
    await using again = await open();
    expect([again.epoch, bodies(again)]).toEqual([epoch, [...after, '7 d']]);
  });

  it('goes on in the old epoch when nothing came meanwhile', async () => {
    const before = await fill(drafts('old'));
    const watch = watchNotices();
    using disk = readOnly(directory);
    await using outbox = await open({ onNotice: watch.onNotice, retryMs: 20 });

    disk.end();
    await watch.until('recovered');

    expect([outbox.epoch, bodies(outbox)]).toEqual([before, ['1 old']]);
  });

  it('leaves the file as it was when the owner is gone before it can be written', async () => {
    const before = await fill(drafts('old'));
    await (async () => {
      using _ = readOnly(directory);
      await using outbox = await open({ retryMs: 1e6 });
      expect(await outbox.append(drafts('a'))).toEqual([1]);
    })();

    await using outbox = await open();

    expect([outbox.epoch, bodies(outbox)]).toEqual([before, ['1 old']]);
  });

  it('tells what the owner before could not save, once it can be written', async () => {
    await fill(drafts('old'));
    rmSync(join(directory, 'all-numbers-are-saved'));
    const watch = watchNotices();
    using disk = readOnly(directory);
    await using outbox = await open({ onNotice: watch.onNotice, retryMs: 20 });

    await outbox.append(drafts('a'));
    disk.end();
    await watch.until('recovered');

    expect(bodies(outbox)).toEqual(['1 a', '2 old', '3-3 unsaved']);
  });

  it('tells that a file was damaged, once it can be moved away', async () => {
    writeFileSync(join(directory, 'outbox.db'), 'no database at all'.repeat(1000));
    const watch = watchNotices();
    using disk = readOnly(directory);
    await using outbox = await open({ onNotice: watch.onNotice, retryMs: 20 });

    await outbox.append(drafts('a'));
    disk.end();
    await watch.until('recovered');

    expect(watch.kinds).toEqual(['degraded', 'damaged', 'recovered']);
    expect(bodies(outbox)).toEqual(['1 a', '2-2 damaged']);
  });
});

it.each([
  { what: 'a file in the way of its directory', block: (path: string) => writeFileSync(path, 'x') },
  { what: 'a link to nowhere', block: (path: string) => symlinkSync('/nonexistent/place', path) },
  {
    what: 'a directory in the place of its file',
    block: (path: string) => mkdirSync(join(path, 'outbox.db'), { recursive: true }),
  },
])('an outbox with $what hands out what it has in memory', async ({ block }) => {
  const path = join(directory, 'queue');
  block(path);
  const watch = watchNotices();
  await using outbox = await open({ directory: path, onNotice: watch.onNotice, retryMs: 20 });

  await outbox.append(drafts('a', 'b'));
  const whileBlocked = bodies(outbox);
  rmSync(path, { recursive: true });
  await watch.until('recovered');

  expect(whileBlocked).toEqual(['1 a', '2 b']);
  expect(bodies(outbox)).toEqual(['1 a', '2 b']);
});

function open(options: Partial<OutboxOptions> = {}): Promise<Outbox> {
  return openOutbox({ directory, now: () => new Date(), onNotice: () => undefined, ...options });
}

async function fill(items: readonly OutboxDraft[]): Promise<string> {
  await using outbox = await open();
  await outbox.append(items);
  return outbox.epoch;
}

/** Mounts a directory on itself, to be read only. */
function readOnly(path: string) {
  execFileSync('mount', ['--bind', path, path]);
  execFileSync('mount', ['-o', 'remount,bind,ro', path]);
  let isMounted = true;
  const end = (): void => {
    if (isMounted) execFileSync('umount', [path]);
    isMounted = false;
  };
  return { end, [Symbol.dispose]: end };
}

/** Appends large items until something is so; returns the last number. */
async function appendUntil(outbox: Outbox, isSo: () => boolean): Promise<number> {
  while (!isSo()) await outbox.append(drafts('x'.repeat(3000)));
  return outbox.lastSequence;
}

function watchNotices() {
  const kinds: string[] = [];
  const waiters = new Map<string, () => void>();
  return {
    kinds,
    onNotice: ({ kind }: OutboxNotice) => {
      kinds.push(kind);
      waiters.get(kind)?.();
    },
    until: (kind: string) =>
      new Promise<void>((resolve) => void (kinds.includes(kind) ? resolve() : waiters.set(kind, resolve))),
  };
}

function tinyDisk(path: string) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', path]);
  const filler = join(path, 'filler');
  return {
    fill: () => fillDisk(filler),
    free: () => rmSync(filler),
    [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', path]),
  };
}

function fillDisk(path: string): void {
  const page = Buffer.alloc(4096);
  try {
    for (;;) appendFileSync(path, page);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
