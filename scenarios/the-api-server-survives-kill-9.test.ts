import { expect, it } from 'vitest';

import { killApiServer } from './chaos/kill-api-server.ts';

it('keeps every promise to its clients, however often it is killed', { timeout: 180_000 }, async () => {
  const report = await killApiServer({
    // `npm run chaos` kills it hundreds of times.
    kills: 6,
    seed: 1,
    clients: 8,
    program: 'sources',
    progress: () => undefined,
    signal: AbortSignal.timeout(170_000),
  });

  expect(report.complaints).toEqual([]);
  expect(report.acknowledgedWrites).toBeGreaterThan(100);
  expect(report.events).toBeGreaterThanOrEqual(report.acknowledgedWrites);
});
