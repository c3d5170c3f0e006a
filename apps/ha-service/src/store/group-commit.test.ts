import { StoreError } from '@smalt/store';
import { expect, it } from 'vitest';

import { GroupCommit } from './group-commit.ts';

const { signal } = new AbortController();

it('writes what comes in one turn together, and what comes meanwhile after it', async () => {
  const writer = startWriter();
  const group = new GroupCommit(writer.write, { items: 100, weight: 100 });

  const first = [1, 2, 3].map((item) => group.add(item, 1, signal));
  await writer.began();
  const second = [4, 5].map((item) => group.add(item, 1, signal));
  writer.goOn();

  expect(await Promise.all([...first, ...second])).toEqual([10, 20, 30, 40, 50]);
  expect(writer.groups).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

it.each([
  { limits: { items: 2, weight: 100 }, groups: [[1, 2], [3, 4], [5]] },
  { limits: { items: 100, weight: 25 }, groups: [[1, 2], [3, 4], [5]] },
  { limits: { items: 100, weight: 5 }, groups: [[1], [2], [3], [4], [5]] },
])('makes groups of no more than $limits', async ({ limits, groups }) => {
  const writer = startWriter();
  const group = new GroupCommit(writer.write, limits);
  writer.goOn();

  await Promise.all([1, 2, 3, 4, 5].map((item) => group.add(item, 10, signal)));

  expect(writer.groups).toEqual(groups);
});

it('does not let one that is wrong fail the others', async () => {
  const group = new GroupCommit<number, number>(
    async (items) => {
      if (items.includes(2)) throw new StoreError('invalid-value', 'two is wrong');
      return items;
    },
    { items: 100, weight: 100 },
  );

  const results = await Promise.allSettled([1, 2, 3].map((item) => group.add(item, 1, signal)));

  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('fails all when the database is away, and goes on with the next', async () => {
  let isAway = true;
  const group = new GroupCommit<number, number>(
    async (items) => {
      if (isAway) throw new StoreError('unreachable', 'away');
      return items;
    },
    { items: 100, weight: 100 },
  );

  const results = await Promise.allSettled([1, 2].map((item) => group.add(item, 1, signal)));
  isAway = false;

  expect(results).toMatchObject([{ reason: { code: 'unreachable' } }, { reason: { code: 'unreachable' } }]);
  expect(await group.add(3, 1, signal)).toBe(3);
});

it('answers a caller who gives up at once, and the others as ever', async () => {
  const writer = startWriter();
  const group = new GroupCommit(writer.write, { items: 100, weight: 100 });
  const controller = new AbortController();
  const given = group.add(1, 1, controller.signal);
  const other = group.add(2, 1, signal);

  controller.abort(new Error('given up'));

  await expect(given).rejects.toThrow('given up');
  writer.goOn();
  expect(await other).toBe(20);
});

/** Answers ten times the item, once it is told to go on. */
function startWriter() {
  const groups: (readonly number[])[] = [];
  const [begin, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    groups,
    began: () => begin.promise,
    goOn: () => go.resolve(),
    write: async (items: readonly number[]) => {
      groups.push(items);
      begin.resolve();
      await go.promise;
      return items.map((item) => item * 10);
    },
  };
}
