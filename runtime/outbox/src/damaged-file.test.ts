import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openOutbox, type OutboxOptions } from './open-outbox.ts';
import { EVERYTHING, bodies, drafts } from './fixtures/print-entries.ts';
import type { OutboxNotice } from './outbox-notice.ts';
import type { Outbox } from './outbox.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'outbox-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('a damaged file', () => {
  it.each([
    { what: 'of random bytes', damage: (path: string) => writeFileSync(path, 'no database at all'.repeat(1000)) },
    { what: 'that was cut', damage: (path: string) => truncateSync(path, 5000) },
    { what: 'of another program', damage: (path: string) => makeForeign(path) },
  ])('$what is set aside, told, and followed by a new epoch', async ({ damage }) => {
    const epoch = await fill(200);
    damage(join(directory, 'outbox.db'));
    const notices: OutboxNotice[] = [];

    await using outbox = await open({ onNotice: (notice) => notices.push(notice) });

    expect(outbox.epoch).not.toBe(epoch);
    expect(bodies(outbox)).toEqual(['1-1 damaged']);
    expect(await outbox.append(drafts('next'))).toEqual([2]);
    expect(notices).toMatchObject([{ kind: 'damaged', movedTo: expect.stringContaining('outbox-damaged-') }]);
    expect(readdirSync(directory)).toContainEqual(expect.stringMatching(/^outbox-damaged-\d+\.db$/));
  });

  it('that is found while it is used costs the numbers in it, and no others', async () => {
    await fill(3000);
    const recovered = Promise.withResolvers<void>();
    const kinds: string[] = [];
    await using outbox = await open({
      onNotice: ({ kind }) => {
        kinds.push(kind);
        if (kind === 'recovered') recovered.resolve();
      },
    });
    const { epoch } = outbox;
    outbox.acknowledge(10);
    writeFileSync(join(directory, 'outbox.db'), Buffer.alloc(6_000_000, 7), { flag: 'r+' });
    rmSync(join(directory, 'outbox.db-wal'), { force: true });

    outbox.peek(EVERYTHING);
    const [number] = await outbox.append(drafts('next'));
    await recovered.promise;

    expect(kinds).toEqual(['damaged', 'degraded', 'recovered']);
    expect([outbox.epoch, number]).toEqual([epoch, 3001]);
    expect(bodies(outbox)).toEqual(['11-3000 damaged', '3001 next']);
  });
});

function open(options: Partial<OutboxOptions> = {}): Promise<Outbox> {
  return openOutbox({ directory, now: () => new Date(), onNotice: () => undefined, ...options });
}

async function fill(count: number): Promise<string> {
  await using outbox = await open();
  await outbox.append(Array.from({ length: count }, (_, index) => ({ body: `${index}`.padEnd(1000, '.') })));
  return outbox.epoch;
}

function makeForeign(path: string): void {
  rmSync(path);
  using file = new DatabaseSync(path);
  file.exec('CREATE TABLE other (a)');
}
