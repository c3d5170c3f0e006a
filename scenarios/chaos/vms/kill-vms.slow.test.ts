import { expect, it } from 'vitest';

import { killVms } from './kill-vms.ts';

it(
  'loses no machine, runs none twice and leaves nothing behind, whatever is killed',
  { timeout: 900_000 },
  async () => {
    const told: string[] = [];
    const signal = AbortSignal.timeout(900_000);

    const report = await killVms({ kills: 25, seed: 8, machines: 5, progress: (line) => told.push(line), signal });

    // With what was played before, for who wonders.
    expect(report.complaints.length === 0 ? [] : [...told, ...report.complaints]).toEqual([]);
    expect(report.looks).toBeGreaterThan(10);
    expect(report.deeds).toBeGreaterThan(report.refused);
  },
);
