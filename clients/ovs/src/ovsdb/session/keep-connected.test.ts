import { describe, expect, it } from 'vitest';

import { ManualClock } from '../../connection/fixtures/manual-clock.ts';
import { judgeMember } from './judge-member.ts';
import { keepConnected } from './keep-connected.ts';

describe('keepConnected', () => {
  it('tries at once, then backs off up to the maximum', async () => {
    const times = await attempts({ endpoints: ['a'], outcomes: Array.from({ length: 7 }, () => false) });

    expect(times).toEqual(['a 0', 'a 100', 'a 300', 'a 700', 'a 1500', 'a 2500', 'a 3500']);
  });

  it('makes a connection that held again at once, and starts with the shortest pause', async () => {
    const times = await attempts({ endpoints: ['a'], outcomes: [false, false, true, false, false] });

    expect(times).toEqual(['a 0', 'a 100', 'a 300', 'a 300', 'a 400']);
  });

  it('tries all endpoints before it pauses, and stays with one that held', async () => {
    const times = await attempts({ endpoints: ['a', 'b'], outcomes: [false, false, false, true, true, false, false] });

    expect(times).toEqual(['a 0', 'b 0', 'a 100', 'b 100', 'b 100', 'b 100', 'a 100']);
  });
});

describe('judgeMember', () => {
  it.each([
    { member: undefined, leaderOnly: true, why: undefined },
    { member: { model: 'standalone', connected: true, leader: true }, leaderOnly: true, why: undefined },
    { member: { model: 'clustered', connected: true, leader: false }, leaderOnly: false, why: undefined },
    { member: { model: 'clustered', connected: true, leader: true }, leaderOnly: true, why: undefined },
    {
      member: { model: 'clustered', connected: true, leader: false },
      leaderOnly: true,
      why: 'it is not the leader of its cluster',
    },
    {
      member: { model: 'clustered', connected: false, leader: false },
      leaderOnly: false,
      why: 'it is cut off from its cluster',
    },
  ])('says $why of $member when only the leader will do: $leaderOnly', ({ member, leaderOnly, why }) => {
    expect(judgeMember(member, leaderOnly)).toBe(why);
  });
});

/** What was tried when, if each attempt ends at once: true for a connection that held. */
async function attempts(options: {
  readonly endpoints: readonly string[];
  readonly outcomes: readonly boolean[];
}): Promise<readonly string[]> {
  const clock = new ManualClock();
  const stop = new AbortController();
  const tried: string[] = [];
  const running = keepConnected({
    endpoints: options.endpoints,
    backOff: { initialMs: 100, maxMs: 1000 },
    clock,
    random: () => 1,
    signal: stop.signal,
    attempt: (endpoint) => {
      tried.push(`${endpoint} ${clock.now()}`);
      if (tried.length === options.outcomes.length) stop.abort();
      return Promise.resolve({ wasStable: options.outcomes[tried.length - 1] === true });
    },
  });
  while (!stop.signal.aborted) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    clock.advance(clock.waiting > 0 ? 100 : 0);
  }
  await running;
  return tried;
}
