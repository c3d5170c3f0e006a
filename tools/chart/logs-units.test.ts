import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { NODE_LOG_UNITS } from '@smalt/virt-handler';
import { expect, it } from 'vitest';

import { readChartValues } from './chart-values.ts';
import { CHART } from './helm.ts';

it('has logs collected of all units that smalt logs reads, whatever a node calls them', async () => {
  const values = readChartValues(await readFile(join(CHART, 'values.yaml'), 'utf8'));
  const collected = values.find(({ path }) => path === 'logs.units')?.default;

  // What runs in pods is read from their logs.
  const { agents: _, ...others } = NODE_LOG_UNITS;
  const read = Object.values(others).flatMap((names) => names.map((name) => `${name}.service`));
  expect(read.length).toBeGreaterThan(10);
  expect(collected).toEqual(expect.arrayContaining(read));
});
