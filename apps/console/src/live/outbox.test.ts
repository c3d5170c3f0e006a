import { describe, expect, it } from 'vitest';

import { systemClock } from '../console-clock.ts';
import { Outbox } from './outbox.ts';

const LIMITS = { mostWaitingBytes: 1_000, patienceMs: 30 };

describe('an outbox', () => {
  it('gathers what happens in a moment into one frame', async () => {
    const { outbox, frames } = opened();
    const [one, other] = [outbox.open(1), outbox.open(2)];

    one.put('a', '{}');
    outbox.wake();
    other.put('b', '{}');
    outbox.wake();
    outbox.tell(3, { kind: 'refused' });

    await expect.poll(() => frames.length).toBe(1);
    expect(JSON.parse(frames[0] ?? '')).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, kind: 'refused' }]);
  });

  it('sends no more than 250 objects at a time, and each follow in its turn', async () => {
    const { outbox, frames } = opened();
    const [large, small] = [outbox.open(1), outbox.open(2)];
    for (let index = 0; index < 600; index++) large.put(String(index), '1');
    small.put('a', '1');
    outbox.wake();

    await expect.poll(() => frames.length).toBe(3);
    const told = frames.map((frame) =>
      JSON.parse(frame).map(({ id, put }: { id: number; put: unknown[] }) => [id, put.length]),
    );
    expect(told).toEqual([
      [[1, 250]],
      [
        [2, 1],
        [1, 249],
      ],
      [[1, 101]],
    ]);
  });

  it('has no room while the browser takes nothing, and says so after a while', async () => {
    const taken = Promise.withResolvers<void>();
    const { outbox, signal } = opened(() => taken.promise);
    const slot = outbox.open(1);
    slot.put('a', JSON.stringify('x'.repeat(2_000)));
    outbox.wake();

    const [before, after] = [await outbox.room(signal), outbox.drained(signal)];
    taken.resolve();
    await after;

    expect([before, await outbox.room(signal)]).toEqual([false, true]);
  });

  it('forgets what waits of a follow that is closed', async () => {
    const { outbox, frames, signal } = opened();
    const slot = outbox.open(1);
    slot.put('a', '{}');
    outbox.wake();

    outbox.close(slot);
    outbox.tell(2, { kind: 'refused' });
    await expect.poll(() => frames.length).toBe(1);

    expect(JSON.parse(frames[0] ?? '')).toEqual([{ kind: 'refused', id: 2 }]);
    await outbox.drained(signal);
  });

  it('tells when the connection is lost', async () => {
    const lost = new Error('lost');
    const { outbox, failures } = opened(() => Promise.reject(lost));

    outbox.tell(1, { kind: 'refused' });

    await expect.poll(() => failures).toEqual([lost]);
  });
});

function opened(send: () => Promise<void> = () => Promise.resolve()) {
  const frames: string[] = [];
  const failures: unknown[] = [];
  const { signal } = new AbortController();
  const outbox = new Outbox({
    send: async (frame) => {
      frames.push(frame);
      await send();
    },
    clock: systemClock,
    limits: LIMITS,
    signal,
    onFailure: (error) => failures.push(error),
  });
  return { outbox, frames, failures, signal };
}
