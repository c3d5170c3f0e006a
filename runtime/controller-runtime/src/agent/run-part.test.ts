import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { systemClock } from '../clock.ts';
import { restartDelayMs, runPart } from './run-part.ts';

it.each([
  { inRow: 1, delayMs: 500 },
  { inRow: 4, delayMs: 4_000 },
  { inRow: 40, delayMs: 60_000 },
])('waits $delayMs ms after $inRow failures in a row', ({ inRow, delayMs }) => {
  expect(restartDelayMs(inRow)).toBe(delayMs);
});

it('starts a part that throws again, counts that, and lets it end', async () => {
  const failed: string[] = [];
  const waits: number[] = [];
  let runs = 0;
  const part = {
    name: 'shaky',
    run: async () => {
      runs += 1;
      if (runs < 3) throw new Error('not yet');
    },
  };

  await runPart(part, supervision({ failed, waits }), new AbortController().signal);

  expect({ runs, failed, waits }).toEqual({ runs: 3, failed: ['shaky', 'shaky'], waits: [500, 1_000] });
});

it('takes what a part throws when it is stopped for its end', async () => {
  const failed: string[] = [];
  const stop = new AbortController();
  const part = {
    name: 'stopped',
    run: async () => {
      stop.abort();
      throw new Error('interrupted');
    },
  };

  await runPart(part, supervision({ failed, waits: [] }), stop.signal);

  expect(failed).toEqual([]);
});

function supervision({ failed, waits }: { readonly failed: string[]; readonly waits: number[] }) {
  const clock = { ...systemClock, wait: async (milliseconds: number) => void waits.push(milliseconds) };
  const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
  return { logger, clock, metrics: { countPartFailure: (name: string) => void failed.push(name) } };
}
