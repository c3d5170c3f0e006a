import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openOutbox, type OutboxOptions } from './open-outbox.ts';
import { EVERYTHING, bodies, drafts, numbersOf, print, range } from './fixtures/print-entries.ts';
import type { Outbox, OutboxNotice } from './outbox.ts';

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
    const waiting = outbox.append(drafts('after'));
    disk.free();
    const [number] = await waiting;

    const entries = outbox.peek(EVERYTHING);
    expect(number).toBe(last - 1 + 1_000_000 + 1);
    expect(entries.slice(-2).map(print)).toEqual([`${last}-${Number(number) - 1} unsaved`, `${number} after`]);
    expect(second.kinds).toEqual(['degraded', 'recovered']);
  });

  it('lets an outbox open, and begin when there is room', async () => {
    using disk = tinyDisk(directory);
    disk.fill();
    const watch = watchNotices();
    await using outbox = await open({ onNotice: watch.onNotice, retryMs: 20, maxMemoryItems: 2 });

    const lost = outbox.append(drafts('lost', 'too')).catch((error: unknown) => error);
    const kept = outbox.append(drafts('kept', 'as well'));
    expect(await lost).toMatchObject({ code: 'dropped' });
    expect(outbox.state).toMatchObject({ items: 2, degradedSince: expect.any(Date) });
    disk.free();

    expect(await kept).toEqual([3, 4]);
    expect(bodies(outbox)).toEqual(['1-2 queue-full', '3 kept', '4 as well']);
  });
});

function open(options: Partial<OutboxOptions> = {}): Promise<Outbox> {
  return openOutbox({ directory, now: () => new Date(), onNotice: () => undefined, ...options });
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
