import { describe, expect, it } from 'vitest';

import type { OvsdbState } from '../ovsdb.ts';
import { ChangeBacklog } from './change-backlog.ts';
import { type CellNews, ChangeFeed } from './change-feed.ts';
import type { CellChange, CellRow } from './row-changes.ts';

describe('ChangeBacklog', () => {
  const [one, two, three] = [row('1'), row('2'), row('3')];
  it.each([
    {
      what: 'inserted and modified',
      changes: [change(undefined, one), change(one, two)],
      is: [change(undefined, two)],
    },
    { what: 'inserted and deleted', changes: [change(undefined, one), change(one, undefined)], is: [] },
    { what: 'modified twice', changes: [change(one, two), change(two, three)], is: [change(one, three)] },
    { what: 'modified and deleted', changes: [change(one, two), change(two, undefined)], is: [change(one, undefined)] },
    { what: 'deleted and inserted', changes: [change(one, undefined), change(undefined, two)], is: [change(one, two)] },
  ])('puts a row that was $what together', ({ changes, is }) => {
    const backlog = new ChangeBacklog();

    for (const item of changes) backlog.add([item]);

    expect([backlog.take(), backlog.take()]).toEqual([is, []]);
  });
});

describe('ChangeFeed', () => {
  it('goes on telling the others when a listener throws, and says so', () => {
    const warnings: string[] = [];
    const feed = new ChangeFeed(({ kind }) => warnings.push(kind));
    const told: CellNews[] = [];
    feed.subscribe(() => {
      throw new Error('broken');
    });
    feed.subscribe((item) => told.push(item));

    feed.publish(news());

    expect([told.length, warnings]).toEqual([1, ['failed-listener']]);
  });

  it('tells nothing to who has unsubscribed, and everything to another who listens with the same function', () => {
    const feed = new ChangeFeed(() => undefined);
    const told: CellNews[] = [];
    const listener = (item: CellNews): void => void told.push(item);
    const stop = feed.subscribe(listener);
    feed.subscribe(listener);

    stop();
    feed.publish(news());

    expect(told).toHaveLength(1);
  });

  it('gives a slow reader one summary of what it missed, then what comes', async () => {
    const feed = new ChangeFeed(() => undefined);
    const reader = feed.follow(new AbortController().signal);
    const [one, two] = [row('1'), row('2')];

    feed.publish(news([change(undefined, one)]));
    feed.publish(news([change(one, two)], 'silent'));
    const first = await reader.next();
    const second = reader.next();
    feed.publish(news([change(two, undefined)]));

    expect(first.value).toEqual(news([change(undefined, two)], 'silent'));
    expect((await second).value).toEqual(news([change(two, undefined)]));
    await reader.return(undefined);
  });

  it.each([{ who: 'the signal' }, { who: 'the feed' }])('ends a reader with $who', async ({ who }) => {
    const feed = new ChangeFeed(() => undefined);
    const controller = new AbortController();
    const reader = feed.follow(controller.signal);
    const waiting = reader.next();

    if (who === 'the feed') feed.end();
    else controller.abort();

    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await feed.follow(AbortSignal.abort()).next()).toEqual({ done: true, value: undefined });
  });
});

function row(name: string): CellRow {
  return { _uuid: 'a', name };
}

function change(before: CellRow | undefined, after: CellRow | undefined): CellChange {
  return { table: 'Port', uuid: 'a', before, after };
}

function news(rows: readonly CellChange[] = [], kind: OvsdbState['kind'] = 'connected'): CellNews {
  return { rows, state: { kind, since: 0 } };
}
