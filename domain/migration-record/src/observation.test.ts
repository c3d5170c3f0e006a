import { expect, it } from 'vitest';

import { observedStatus, type Observation } from './observation.ts';

it('tells what an origin sees while it goes on', () => {
  const seen = observation({ progress: { timeElapsed: '2.1s', timeRemaining: '3s', memIteration: 2 } });

  expect(observedStatus(seen)).toEqual({
    origin: 'a',
    started: '2026-01-01T00:00:00.123Z',
    type: 'unbounded',
    operation: 'migration_out',
    timeElapsed: '2.1s',
    timeRemaining: '3s',
    memIteration: 2,
  });
});

it('tells what a destination sees at the end, and that nothing remains then', () => {
  const seen = observation({
    role: 'destination',
    host: 'b',
    progress: { timeRemaining: '3s' },
    result: { kind: 'failed', error: 'the guest was stopped: crashed' },
  });

  expect(observedStatus(seen)).toEqual({
    destination: 'b',
    started: '2026-01-01T00:00:00.123Z',
    type: 'failed',
    errMsg: 'the guest was stopped: crashed',
    operation: 'migration_in',
    timeElapsed: '2s',
  });
});

it('believes its own clock when that of libvirt was set', () => {
  const seen = observation({ progress: { timeElapsed: '1h0m2s' } });

  expect(observedStatus(seen).timeElapsed).toBe('2s');
});

function observation(fields: Partial<Observation> = {}): Observation {
  return {
    instance: 'guest',
    role: 'origin',
    host: 'a',
    startedAtMs: Date.parse('2026-01-01T00:00:00.123Z'),
    isEstimated: false,
    elapsedMs: 2000,
    progress: {},
    ...fields,
  };
}
