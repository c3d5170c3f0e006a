import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LibvirtError } from '../libvirt-error.ts';
import { EventQueue } from './event-queue.ts';

describe('EventQueue', () => {
  it('delivers events in order, to readers that come early and late', async () => {
    const queue = new EventQueue<TestEvent>(10);
    const early = queue.next();

    for (const number of [1, 2, 3]) queue.push(event(number));

    expect(await early).toEqual({ value: event(1), done: false });
    expect(await queue.next()).toEqual({ value: event(2), done: false });
    expect(await queue.next()).toEqual({ value: event(3), done: false });
  });

  it('puts a count in the place of what a slow reader missed', async () => {
    const queue = new EventQueue<TestEvent>(2);
    for (const number of [1, 2, 3, 4, 5]) queue.push(event(number));
    const read = [(await queue.next()).value, (await queue.next()).value];
    for (const number of [6, 7]) queue.push(event(number));

    for (let turn = 0; turn < 3; turn++) read.push((await queue.next()).value);

    expect(read).toEqual([event(1), event(2), { kind: 'overflow', dropped: 3 }, event(6), event(7)]);
  });

  it('puts a count in the place of what has too many bytes', async () => {
    const queue = new EventQueue<TestEvent>(10, 100);
    for (const number of [1, 2, 3]) queue.push(event(number), 50);
    const read = [(await queue.next()).value];
    queue.push(event(4), 51);
    queue.push(event(5), 50);
    queue.end();

    expect([...read, ...(await drain(queue))]).toEqual([
      event(1),
      event(2),
      { kind: 'overflow', dropped: 2 },
      event(5),
    ]);
  });

  it('takes an event that is larger than the limit when there is no other', async () => {
    const queue = new EventQueue<TestEvent>(10, 100);
    for (const number of [1, 2]) queue.push(event(number), 1000);
    queue.end();

    expect(await drain(queue)).toEqual([event(1), { kind: 'overflow', dropped: 1 }]);
  });

  it('knows the size of an event that was read, and that a mark and an overflow have none', async () => {
    const queue = new EventQueue<TestEvent>(10);
    const mark = event(2);
    queue.push(event(1), 50);
    queue.mark(mark, sum);
    queue.drop(1);
    queue.end();

    const sizes = (await drain(queue)).map((item) => queue.bytesOf(item as TestEvent));

    expect(sizes).toEqual([50, 0, 0]);
  });

  it('has room again when it was cleared', async () => {
    const queue = new EventQueue<TestEvent>(10, 100);
    queue.push(event(1), 100);
    queue.clear();
    for (const number of [2, 3]) queue.push(event(number), 50);
    queue.end();

    expect(await drain(queue)).toEqual([event(2), event(3)]);
  });

  it('tells of what was dropped even if nothing comes after it', async () => {
    const queue = new EventQueue<TestEvent>(1);
    for (const number of [1, 2, 3]) queue.push(event(number));
    queue.end();

    const read = await drain(queue);

    expect(read).toEqual([event(1), { kind: 'overflow', dropped: 2 }]);
  });

  it('counts what never became an event together with what did not fit', async () => {
    const queue = new EventQueue<TestEvent>(1);
    queue.drop(2);
    for (const number of [1, 2]) queue.push(event(number));
    queue.drop(3);
    queue.end();

    expect(await drain(queue)).toEqual([{ kind: 'overflow', dropped: 2 }, event(1), { kind: 'overflow', dropped: 4 }]);
  });

  it('never drops a mark, and keeps its place', async () => {
    const queue = new EventQueue<TestEvent>(1);
    for (const number of [1, 2]) queue.push(event(number));
    queue.mark(event(100), sum);
    queue.push(event(3));
    queue.end();

    expect(await drain(queue)).toEqual([
      event(1),
      { kind: 'overflow', dropped: 1 },
      event(100),
      { kind: 'overflow', dropped: 1 },
    ]);
  });

  it('stays bounded however many marks nobody reads', async () => {
    const queue = new EventQueue<TestEvent>(1);
    queue.push(event(1));
    for (let round = 0; round < 1000; round++) {
      queue.mark(event(100), sum);
      queue.push(event(2));
    }
    queue.end();

    expect(await drain(queue)).toEqual([event(1), event(100_000), { kind: 'overflow', dropped: 1000 }]);
  });

  it('hands a mark that was read already out only once', async () => {
    const queue = new EventQueue<TestEvent>(1);
    queue.mark(event(1), sum);
    const first = await queue.next();
    queue.mark(event(2), sum);

    expect([first.value, (await queue.next()).value]).toEqual([event(1), event(2)]);
  });

  it('accounts for every event, whatever the order of writing and reading', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.oneof(fc.constant('read'), fc.integer({ min: 0, max: 150 })), { maxLength: 80 }),
        async (max, steps) => {
          const queue = new EventQueue<TestEvent>(max, 100);
          const read: Promise<unknown>[] = [];
          let pushed = 0;
          for (const step of steps) {
            if (typeof step === 'number') queue.push(event(pushed++), step);
            else read.push(queue.next());
          }
          queue.end();
          const values = (await Promise.all(read)).map((result) => (result as { value: unknown }).value);
          values.push(...(await drain(queue)));

          expect(numbersIn(values)).toEqual(Array.from({ length: pushed }, (_, number) => number));
        },
      ),
    );
  });

  it('throws the reason once, after all that was queued, and then has no more', async () => {
    const queue = new EventQueue<TestEvent>(10);
    queue.push(event(1));

    queue.end(new LibvirtError('connection-lost', 'gone'));

    expect(await queue.next()).toEqual({ value: event(1), done: false });
    await expect(queue.next()).rejects.toMatchObject({ code: 'connection-lost' });
    expect(await queue.next()).toEqual({ value: undefined, done: true });
  });

  it('wakes a reader that waits when it ends', async () => {
    const queue = new EventQueue<TestEvent>(10);
    const first = queue.next();
    const second = queue.next();

    queue.end(new LibvirtError('connection-lost', 'gone'));

    await expect(first).rejects.toMatchObject({ code: 'connection-lost' });
    expect(await second).toEqual({ value: undefined, done: true });
  });
});

interface TestEvent {
  readonly kind: 'test';
  readonly number: number;
}

function event(number: number): TestEvent {
  return { kind: 'test', number };
}

function sum(earlier: TestEvent, later: TestEvent): TestEvent {
  return event(earlier.number + later.number);
}

async function drain(queue: EventQueue<TestEvent>): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let next = await queue.next(); next.done !== true; next = await queue.next()) values.push(next.value);
  return values;
}

/** The numbers of the events, with the dropped ones filled in. */
function numbersIn(values: readonly unknown[]): number[] {
  const numbers: number[] = [];
  for (const value of values as (TestEvent | { kind: 'overflow'; dropped: number } | undefined)[]) {
    if (value === undefined) continue;
    if (value.kind === 'test') numbers.push(value.number);
    else for (let missing = 0; missing < value.dropped; missing++) numbers.push((numbers.at(-1) ?? -1) + 1);
  }
  return numbers;
}
