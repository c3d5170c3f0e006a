import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { WaitingChanges } from './waiting-changes.ts';

const ROOM = { objects: 250, bytes: 100_000 };

describe('what waits for a page', () => {
  it('is the last state of each object', () => {
    const waiting = new WaitingChanges(1);
    waiting.put('a', '{"v":1}');
    waiting.put('a', '{"v":2}');
    waiting.put('b', '{}');
    waiting.gone('b');

    const { messages } = waiting.take(ROOM);

    expect(messages.map((each) => JSON.parse(each))).toEqual([
      { kind: 'changes', id: 1, isReset: false, put: [{ v: 2 }], gone: ['b'] },
    ]);
    expect([waiting.isEmpty, waiting.bytes]).toEqual([true, 0]);
  });

  it('goes in parts, the first with the reset and the last with the end', () => {
    const waiting = new WaitingChanges(1);
    waiting.reset();
    for (const key of ['a', 'b', 'c']) waiting.put(key, `"${key}"`);
    waiting.complete();

    const parts = [1, 2].map(() => waiting.take({ objects: 2, bytes: 1_000 }).messages.map((each) => JSON.parse(each)));

    expect(parts).toEqual([
      [{ kind: 'changes', id: 1, isReset: true, put: ['a', 'b'], gone: [] }],
      [{ kind: 'changes', id: 1, isReset: false, put: ['c'], gone: [], isComplete: true }],
    ]);
  });

  it('tells of an empty collection', () => {
    const waiting = new WaitingChanges(1);
    waiting.reset();
    waiting.complete();

    const [message = ''] = waiting.take(ROOM).messages;

    expect(JSON.parse(message)).toMatchObject({ isReset: true, isComplete: true, put: [] });
  });

  it('lets one object go whatever its size', () => {
    const waiting = new WaitingChanges(1);
    waiting.put('a', JSON.stringify('x'.repeat(1_000)));
    waiting.put('b', '{}');

    expect([waiting.take({ objects: 9, bytes: 10 }).objects, waiting.take(ROOM).objects]).toEqual([1, 1]);
  });

  it('is told after what has put an end to what was before', () => {
    const waiting = new WaitingChanges(4);
    waiting.put('a', '{}');
    waiting.notice({ kind: 'broken', message: 'lost' });
    waiting.reset();
    waiting.notice({ kind: 'broken', message: 'lost again' });
    waiting.put('b', '{}');

    const { messages } = waiting.take(ROOM);

    expect(messages.map((each) => JSON.parse(each))).toMatchObject([
      { kind: 'broken', id: 4, message: 'lost again' },
      { kind: 'changes', put: [{}] },
    ]);
  });

  it('leads a page to the same state, however it is cut, and counts its bytes right', () => {
    const steps = array(record({ key: constantFrom('a', 'b', 'c', 'd'), value: integer({ min: -1, max: 3 }) }));
    assert(
      property(steps, integer({ min: 1, max: 3 }), (all, objects) => {
        const waiting = new WaitingChanges(1);
        const [wanted, page] = [new Map<string, number>(), new Map<string, number>()];
        for (const [index, { key, value }] of all.entries()) {
          if (value < 0) waiting.gone(key);
          else waiting.put(key, JSON.stringify({ key, value }));
          if (value < 0) wanted.delete(key);
          else wanted.set(key, value);
          if (index % 3 === 0) tell(page, waiting, objects);
        }
        while (!waiting.isEmpty) tell(page, waiting, objects);

        expect(Object.fromEntries(page)).toEqual(Object.fromEntries(wanted));
        expect(waiting.bytes).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

function tell(page: Map<string, number>, waiting: WaitingChanges, objects: number): void {
  for (const text of waiting.take({ objects, bytes: 1_000 }).messages) {
    const { put, gone } = JSON.parse(text);
    for (const { key, value } of put) page.set(key, value);
    for (const key of gone) page.delete(key);
  }
}
