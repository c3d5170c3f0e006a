import { expect, it } from 'vitest';

import { ExclusiveStreams } from './exclusive-streams.ts';

it('gives a place to the next one, and tells the one before why it was lost', () => {
  const streams = new ExclusiveStreams();
  const first = streams.take('vnc/a', true);
  const other = streams.take('vnc/b', true);

  const second = streams.take('vnc/a', true);

  expect([first.signal.aborted, second.signal.aborted, other.signal.aborted]).toEqual([true, false, false]);
  expect(first.signal.reason).toMatchObject({
    code: 'conflict',
    message: 'somebody else has opened it',
  });
});

it('lets nobody in who would not disturb, until the place is free', () => {
  const streams = new ExclusiveStreams();
  const first = streams.take('vnc/a', true);
  const take = (): unknown => streams.take('vnc/a', false);

  expect(take).toThrow('Active VNC connection');
  first[Symbol.dispose]();
  expect(take).not.toThrow();
});

it('does not free a place that somebody else has taken', () => {
  const streams = new ExclusiveStreams();
  const first = streams.take('vnc/a', true);
  streams.take('vnc/a', true);

  first[Symbol.dispose]();

  expect(() => streams.take('vnc/a', false)).toThrow('Active VNC connection');
});
