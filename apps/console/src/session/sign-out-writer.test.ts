import { beforeEach, describe, expect, it } from 'vitest';

import { SignOutWriter } from './sign-out-writer.ts';

let stop: AbortController;
let time: number;
let pauses: number[];
let writes: (readonly string[])[];
/** What becomes of each write, the first one first; those after them are done. */
let answers: (() => Promise<void>)[];
let writer: SignOutWriter;

beforeEach(() => {
  stop = new AbortController();
  time = 0;
  pauses = [];
  writes = [];
  answers = [];
  writer = new SignOutWriter({
    write: async (ends) => {
      writes.push([...ends.keys()]);
      await answers.shift()?.();
    },
    clock: {
      now: () => time,
      wait: (milliseconds) => {
        pauses.push(milliseconds);
        time += milliseconds;
        return Promise.resolve();
      },
    },
    ignore: () => undefined,
    stopping: stop.signal,
  });
});

describe('the writer of sign-outs', () => {
  it('writes one by one what comes one by one', async () => {
    expect([await writer.add('a', 1e9), await writer.add('b', 1e9)]).toEqual([true, true]);
    expect(writes).toEqual([['a'], ['b']]);
  });

  it('has one request under way, and puts all that came meanwhile into the next', async () => {
    const first = Promise.withResolvers<void>();
    answers = [() => first.promise];
    const all = ['a', 'b', 'c', 'c'].map((id) => writer.add(id, 1e9));
    first.resolve();

    expect(await Promise.all(all)).toEqual([true, true, true, true]);
    expect(writes).toEqual([['a'], ['b', 'c']]);
  });

  it('tries ever more seldom while it is refused, whoever else signs out', async () => {
    answers = Array.from({ length: 6 }, () => refuse);
    const all = Array.from({ length: 100 }, (_, index) => writer.add(String(index), 1e9));

    expect(new Set(await Promise.all(all))).toEqual(new Set([true]));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
    expect(writes.map(({ length }) => length)).toEqual([1, 100, 100, 100, 100, 100, 100]);
  });

  it('gives up what is over by itself', async () => {
    answers = [refuse, refuse];

    expect(await writer.add('a', 2_500)).toBe(true);
    expect(writes).toHaveLength(2);
  });

  it('tries once more when the console stops, and says what could not be written', async () => {
    answers = [stopAndRefuse];
    const saved = await writer.add('a', 1e9);
    answers = [refuse];
    const lost = await writer.add('b', 1e9);
    await writer.whenIdle();

    expect([saved, lost]).toEqual([true, false]);
    expect(writes).toEqual([['a'], ['a'], ['b']]);
  });
});

function refuse(): Promise<void> {
  return Promise.reject(new Error('full'));
}

function stopAndRefuse(): Promise<void> {
  stop.abort();
  return refuse();
}
