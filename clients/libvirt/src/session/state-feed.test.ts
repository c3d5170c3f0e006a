import { describe, expect, it } from 'vitest';
import { StateFeed } from './state-feed.ts';

describe('StateFeed', () => {
  it('gives every reader the latest item and all that follow', async () => {
    const feed = new StateFeed(1, 10);
    const early = feed.read();
    feed.publish(2);
    const late = feed.read();
    feed.publish(3);
    feed.end();

    expect([await collect(early), await collect(late)]).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
  });

  it('wakes a reader that waits', async () => {
    const feed = new StateFeed(1, 10);
    const reader = feed.read();
    await reader.next();

    const waiting = [reader.next(), reader.next()];
    feed.publish(2);
    feed.end();

    expect(await Promise.all(waiting)).toEqual([
      { done: false, value: 2 },
      { done: true, value: undefined },
    ]);
  });

  it('keeps the newest items for a reader that falls behind', async () => {
    const feed = new StateFeed(0, 3);
    const reader = feed.read();
    for (let item = 1; item <= 100; item += 1) feed.publish(item);
    feed.end();

    expect(await collect(reader)).toEqual([98, 99, 100]);
  });

  it('still tells its last item after its end', async () => {
    const feed = new StateFeed(1, 3);
    feed.publish(2);
    feed.end();

    expect(await collect(feed.read())).toEqual([2]);
  });

  it('lets a waiting reader go when it is disposed of', async () => {
    const feed = new StateFeed(1, 3);
    const reader = feed.read();
    await reader.next();
    const waiting = reader.next();

    await reader[Symbol.asyncDispose]();
    feed.publish(2);

    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await reader.next()).toEqual({ done: true, value: undefined });
  });
});

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
