import { describe, expect, it } from 'vitest';

import { BoundedQueue } from './bounded-queue.ts';

describe('BoundedQueue', () => {
  it('lets go of the oldest when there are too many', () => {
    const { queue, gone } = queueOf(2, 100);

    for (const name of ['a', 'b', 'c', 'd']) queue.push(name, 1);

    expect(gone).toEqual(['a', 'b']);
    expect(queue.bytes).toBe(2);
  });

  it('lets go of as many as a large one needs room', () => {
    const { queue, gone } = queueOf(10, 100);
    for (const name of ['a', 'b', 'c']) queue.push(name, 30);

    queue.push('large', 60);

    expect(gone).toEqual(['a', 'b']);
    expect(queue.bytes).toBe(90);
  });

  it('holds one that is larger than all its room until the next comes', () => {
    const { queue, gone } = queueOf(10, 100);
    queue.push('a', 1);

    queue.push('huge', 500);
    queue.push('b', 1);

    expect(gone).toEqual(['a', 'huge']);
    expect(queue.bytes).toBe(1);
  });
});

function queueOf(items: number, bytes: number) {
  const gone: string[] = [];
  const queue = new BoundedQueue<string>({ items, bytes }, (item) => gone.push(item));
  return { queue, gone };
}
