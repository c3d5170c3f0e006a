import { expect, it } from 'vitest';

import { ApiResults } from './api-result.ts';
import { apiFigures, TARGETS } from './figures.ts';
import { planApi } from './api-plan.ts';
import { controllerTable, serverTable } from './tables.ts';

const RATES = ['create1PerSecond', 'create16PerSecond', 'status1PerSecond', 'status16PerSecond'];
const COSTS = ['startMs', 'idleBytes', 'listedBytes', 'watchP50Ms', 'watchP99Ms', 'fanOutP99Ms', 'listP50Ms'];

it('is above one where we take less time or memory, and where we write more', () => {
  const figures = apiFigures(results({ costs: [1, 4], rates: [300, 100] }));

  expect(figures).toMatchObject({
    start_vs_kube: 4,
    memory_vs_kube: 4,
    writes_vs_kube: expect.closeTo(3),
    sync10k_ms: 7,
  });
});

it('has a figure for every target', () => {
  const figures = apiFigures(results({ costs: [1, 1], rates: [1, 1] }));

  expect(Object.keys(TARGETS).filter((name) => typeof figures[name] !== 'number')).toEqual([]);
});

it('is null without the real server, except for what is ours alone', () => {
  const figures = apiFigures(results({ costs: [1], rates: [1] }));
  const known = Object.entries(figures).filter(([, figure]) => figure !== null);

  expect(known).toEqual([['sync10k_ms', 7]]);
});

it('shows both servers side by side, and a dash for what is not known', () => {
  const plan = planApi(false, 31);
  const measured = results({ costs: [2, 8], rates: [300, 100] });

  const { columns, rows } = serverTable(measured, plan);

  expect(columns).toEqual(['measure', 'smalt apiserver', 'kube-apiserver + etcd', 'better by']);
  expect(rows[0]).toEqual(['cold start to ready, no data', '2.00 ms', '8.00 ms', '4.00×']);
  expect(rows.find(([title]) => title === 'creates, 1 client')).toEqual([
    'creates, 1 client',
    '300 /s',
    '100 /s',
    '3.00×',
  ]);
  expect(rows.at(-1)).toEqual(['200 watchers, 100 updates/s, delivered', '–', '–', '–']);
  expect(controllerTable(measured, plan).rows.map(([, value]) => value)).toEqual(['7.00 ms', '–', '–']);
});

function results({ costs, rates }: { costs: readonly number[]; rates: readonly number[] }): ApiResults {
  const made = new ApiResults();
  for (const [index, name] of (['smalt', 'kube'] as const).entries()) {
    const [cost, rate] = [costs[index], rates[index]];
    if (cost !== undefined) for (const quantity of COSTS) made.add(name, quantity, cost);
    if (rate !== undefined) for (const quantity of RATES) made.add(name, quantity, rate);
  }
  made.add('smalt', 'syncMs', 7);
  return made;
}
