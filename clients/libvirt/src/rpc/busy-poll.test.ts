import { describe, expect, it } from 'vitest';

import { ManualClock } from '../fake-daemon/manual-clock.ts';
import { turns } from '../fake-daemon/turns.ts';
import { BusyPoll } from './busy-poll.ts';

const LIMIT_MS = 0.2;

describe('BusyPoll', () => {
  it('keeps the event loop turning while a call waits, up to the limit', async () => {
    using world = pollWorld();
    world.send();
    await turns(20);
    const polledBefore = world.polls;

    world.clock.advance(LIMIT_MS);
    await turns(2);
    const polledAfter = world.polls;
    await turns(20);

    expect(polledBefore).toBeGreaterThanOrEqual(19);
    expect(world.polls).toBe(polledAfter);
  });

  it('stops when no call waits any more', async () => {
    using world = pollWorld();
    world.send();
    await turns(5);

    world.reply();
    await turns(2);
    const polledAfter = world.polls;
    await turns(20);

    expect(world.polls).toBe(polledAfter);
  });

  it('goes on for as long again when something arrives or another call is sent', async () => {
    using world = pollWorld();
    world.send();
    world.send();
    await turns(2);

    for (let step = 0; step < 5; step++) {
      world.clock.advance(LIMIT_MS * 0.75);
      if (step % 2 === 0) world.poll.heard();
      else world.send();
      await turns(2);
    }

    expect(world.polls).toBeGreaterThanOrEqual(11);
  });

  it('lets ever more calls go without a poll after waits in vain, up to 64', async () => {
    using world = pollWorld();
    const skipped: number[] = [];

    for (let wait = 0; wait < 9; wait++) {
      await world.waitInVain();
      skipped.push(await world.skippedCalls());
    }

    expect(skipped).toEqual([1, 3, 7, 15, 31, 63, 64, 64, 64]);
  });

  it('polls for every call again after a reply in time', async () => {
    using world = pollWorld();
    for (let wait = 0; wait < 4; wait++) {
      await world.waitInVain();
      await world.skippedCalls();
    }

    world.reply();
    await turns(2);

    expect(await world.skippedCalls()).toBe(0);
  });

  it('pauses between two looks while many calls wait, and never for a few', async () => {
    using world = pollWorld();
    for (let call = 0; call < 7; call++) world.send();
    await turns(5);
    const pausesForSeven = world.pauses.length;

    world.send();
    await turns(5);

    expect(pausesForSeven).toBe(0);
    expect(world.pauses.length).toBeGreaterThanOrEqual(4);
    expect(new Set(world.pauses)).toEqual(new Set([0.1]));
  });

  it('does not pause while the loop has other work to do, unless that was a reply', async () => {
    using world = pollWorld();
    for (let call = 0; call < 8; call++) world.send();
    await turns(1);
    const pausesAfter = async (work: () => void): Promise<number> => {
      const before = world.pauses.length;
      work();
      await turns(1);
      return world.pauses.length - before;
    };

    const afterOtherWork = await pausesAfter(() => world.clock.advance(0.05));
    const afterReply = await pausesAfter(() => {
      world.poll.heard();
      world.clock.advance(0.05);
    });

    expect({ afterOtherWork, afterReply }).toEqual({ afterOtherWork: 0, afterReply: 1 });
  });

  it('never polls with a limit of 0', async () => {
    using world = pollWorld(0);

    world.send();
    await turns(20);

    expect(world.polls).toBe(0);
  });
});

/**
 * A poll on a clock that stands still; it asks whether a call waits once a turn, which is what is counted. Disposing of it
 * ends the poll, which would else keep a processor busy for as long as the process that runs this file and others lives.
 */
function pollWorld(limitMs: number = LIMIT_MS) {
  const clock = new ManualClock();
  let waiting = 0;
  let polls = 0;
  const pauses: number[] = [];
  const poll: BusyPoll = new BusyPoll(limitMs, clock, {
    waiting: () => {
      polls++;
      return waiting;
    },
    pause: (ms) => pauses.push(ms),
  });
  const isPolling = async (): Promise<boolean> => {
    const before = polls;
    await turns(2);
    return polls > before;
  };
  const send = (): void => {
    waiting++;
    poll.sent();
  };
  return {
    clock,
    poll,
    send,
    pauses,
    get polls() {
      return polls;
    },
    reply: () => {
      waiting = 0;
      poll.heard();
    },
    /** Sends a call unless one is polled for already, and lets the time for its reply pass. */
    waitInVain: async () => {
      if (!(await isPolling())) send();
      await turns(1);
      clock.advance(limitMs);
      await turns(2);
    },
    /** Sends calls until one of them is polled for, and tells how many were not. */
    skippedCalls: async () => {
      for (let skipped = 0; ; skipped++) {
        send();
        if (await isPolling()) return skipped;
      }
    },
    [Symbol.dispose]: () => void (waiting = 0),
  };
}
