import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { array, assert, asyncProperty, boolean, constant, integer, oneof, record } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openOutbox, type OutboxOptions } from './open-outbox.ts';
import { bodies, drafts, EVERYTHING, numbersOf, range } from './fixtures/print-entries.ts';
import type { Outbox } from './outbox.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'outbox-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('an outbox', () => {
  it('gives consecutive numbers, in the order of the calls', async () => {
    await using outbox = await open();

    const numbers = await Promise.all([outbox.append(drafts('a', 'b')), outbox.append([]), outbox.append(drafts('c'))]);

    expect(numbers).toEqual([[1, 2], [], [3]]);
    expect(bodies(outbox)).toEqual(['1 a', '2 b', '3 c']);
  });

  it('goes on with its numbers after it was emptied and opened again', async () => {
    const epoch = await (async () => {
      await using outbox = await open();
      await outbox.append(drafts('a', 'b'));
      outbox.acknowledge(2);
      return outbox.epoch;
    })();

    await using outbox = await open();

    expect([outbox.epoch, outbox.peek(EVERYTHING)]).toEqual([epoch, []]);
    expect(await outbox.append(drafts('c'))).toEqual([3]);
  });

  it('hands out as much as fits, and one item in any case', async () => {
    await using outbox = await open();
    await outbox.append(drafts('a', 'b', 'c'));

    expect(outbox.peek({ items: 2, bytes: 1e6 })).toHaveLength(2);
    expect(outbox.peek({ items: 2, bytes: 1 })).toHaveLength(1);
    expect(outbox.peek({ items: 9, bytes: 140 })).toHaveLength(2);
  });

  it('lets the oldest go when it is full, and tells their numbers in one gap', async () => {
    await using outbox = await open({ maxItems: 3 });

    await outbox.append(drafts('a', 'b', 'c'));
    await outbox.append(drafts('d'));
    await outbox.append(drafts('e'));

    expect(bodies(outbox)).toEqual(['1-2 queue-full', '3 c', '4 d', '5 e']);
    expect(outbox.state.items).toBe(3);
  });

  it('lets what is expendable go first', async () => {
    await using outbox = await open({ maxItems: 3 });

    await outbox.append([{ body: 'event' }, { body: 'report', isExpendable: true }, { body: 'event' }]);
    await outbox.append(drafts('late'));
    const first = bodies(outbox);
    await outbox.append(drafts('later'));

    expect(first).toEqual(['1 event', '2-2 queue-full', '3 event', '4 late']);
    expect(bodies(outbox)).toEqual(['1-2 queue-full', '3 event', '4 late', '5 later']);
  });

  it('is bounded by bytes', async () => {
    await using outbox = await open({ maxBytes: 4096 });

    for (let count = 0; count < 20; count++) await outbox.append(drafts('x'.repeat(1000)));

    expect(outbox.state.bytes).toBeLessThanOrEqual(4096);
    expect(bodies(outbox).map((text) => text.slice(0, 15))).toEqual(['1-17 queue-full', ...[18, 19, 20].map(cut)]);
  });

  it('cuts a gap where it was acknowledged', async () => {
    await using outbox = await open({ maxItems: 1 });
    await outbox.append(drafts('a', 'b', 'c', 'd'));

    outbox.acknowledge(2);

    expect(bodies(outbox)).toEqual(['3-3 queue-full', '4 d']);
  });

  it('keeps what was refused for people to look at, and a gap in its place', async () => {
    await (async () => {
      await using outbox = await open();
      await outbox.append(drafts('good', 'bad', 'fine'));
      outbox.setAside(2, 'it is not welcome');

      expect(bodies(outbox)).toEqual(['1 good', '2-2 refused', '3 fine']);
    })();

    using file = new DatabaseSync(join(directory, 'outbox.db'));
    expect(file.prepare('SELECT sequence, body, why FROM set_aside').all()).toMatchObject([
      { sequence: 2, body: 'bad', why: 'it is not welcome' },
    ]);
  });

  it('is not shared with anybody', async () => {
    await using first = await open();
    await first.append(drafts('a'));

    await expect(open()).rejects.toThrow(expect.objectContaining({ code: 'locked' }));
  });

  it('is readable by its owner only', async () => {
    await using outbox = await open();
    await outbox.append(drafts('a'));

    const modes = readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777);

    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it('refuses what is too large, and everything after it was closed', async () => {
    const outbox = await open({ maxItemBytes: 100 });

    await expect(outbox.append(drafts('x'.repeat(100)))).rejects.toThrow(
      expect.objectContaining({ code: 'too-large' }),
    );
    await outbox[Symbol.asyncDispose]();
    await expect(outbox.append(drafts('x'))).rejects.toThrow(expect.objectContaining({ code: 'closed' }));
  });

  it('begins another epoch when it is told to, and keeps it', async () => {
    const [before, after] = await (async () => {
      await using outbox = await open();
      await outbox.append(drafts('a'));
      const { epoch } = outbox;
      outbox.beginEpoch();
      return [epoch, outbox.epoch];
    })();

    await using outbox = await open();

    expect(after).not.toBe(before);
    expect([outbox.epoch, bodies(outbox)]).toEqual([after, ['1 a']]);
  });

  it('keeps every number in one place, whatever is put in and taken out', async () => {
    const step = oneof(
      record({ kind: constant('append' as const), expendable: array(boolean(), { maxLength: 5 }) }),
      record({ kind: constant('acknowledge' as const), ahead: integer({ min: 0, max: 6 }) }),
      record({ kind: constant('refuse' as const), ahead: integer({ min: 0, max: 6 }) }),
    );

    await assert(
      asyncProperty(array(step, { maxLength: 30 }), async (steps) => {
        rmSync(directory, { recursive: true });
        await using outbox = await open({ maxItems: 4 });
        let acknowledged = 0;
        for (const each of steps) {
          if (each.kind === 'append')
            await outbox.append(each.expendable.map((isExpendable) => ({ body: 'x', isExpendable })));
          else if (each.kind === 'refuse') outbox.setAside(acknowledged + each.ahead, 'no');
          else outbox.acknowledge((acknowledged = Math.min(outbox.lastSequence, acknowledged + each.ahead)));
          const entries = outbox.peek(EVERYTHING);
          expect(numbersOf(entries)).toEqual(range(acknowledged + 1, outbox.lastSequence));
          expect(outbox.state.items).toBe(entries.filter(({ kind }) => kind === 'item').length);
          expect(outbox.state.items).toBeLessThanOrEqual(4);
        }
      }),
      { numRuns: 60 },
    );
  });
});

function open(options: Partial<OutboxOptions> = {}): Promise<Outbox> {
  return openOutbox({ directory, now: () => new Date(), onNotice: () => undefined, ...options });
}

function cut(number: number): string {
  return `${number} ${'x'.repeat(12)}`;
}
