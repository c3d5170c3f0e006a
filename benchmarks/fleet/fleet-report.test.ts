import { expect, it } from 'vitest';

import { formatReport } from '../src/format-report.ts';
import { aSample } from './fixtures/a-sample.ts';
import { planFleet } from './fleet-plan.ts';
import { fleetReport, type FleetRun } from './fleet-report.ts';
import type { FleetResult } from './fleet-result.ts';

const WHOLE: FleetResult = { server: 'smalt', samples: [30, 100, 200].map((hosts) => aSample(hosts)) };
const SLOW: FleetResult = {
  server: 'kubernetes',
  samples: [aSample(30), aSample(100)],
  end: { kind: 'failed', hosts: 200, why: 'its machines do not all run within 1800 s: 1340 of 2000 seen in time' },
};

it('tells what was measured of a server that did not come to its end, and which size ended it', () => {
  const text = formatReport(report({ results: [WHOLE, SLOW] }));

  expect(text).toMatch(/^hosts +30 +100\n/m);
  expect(text).toContain(
    'note: FAILED with 200 hosts on kube-apiserver and etcd: its machines do not all run within 1800 s: 1340 of 2000',
  );
  expect(JSON.parse(text.split('\n').at(-1) ?? '')).toMatchObject({
    bench: 'fleet',
    figures: { cost_growth_30_to_200: 6.67, cost_growth_30_to_200_kube: null, cost_growth_30_to_100_kube: 3.33 },
  });
});

it.each([
  { title: 'all sizes', change: { results: [WHOLE] }, hasFailed: false },
  { title: 'a size that failed', change: { results: [WHOLE, SLOW] }, hasFailed: true },
  {
    title: 'a size that was left out',
    change: { results: [{ ...SLOW, end: { kind: 'left-out', hosts: 200, why: 'no room' } as const }] },
    hasFailed: false,
  },
  { title: 'no daemons', change: { results: [], trouble: 'no libvirtd' }, hasFailed: true },
])('has failed after $title: $hasFailed', ({ change, hasFailed }) => {
  expect(report(change).hasFailed).toBe(hasFailed);
});

it('has a last line though nothing at all was measured', () => {
  const end = { kind: 'failed', hosts: 30, why: 'etcd ended:\n  not found\n' } as const;

  const text = formatReport(report({ results: [{ server: 'kubernetes', samples: [], end }] }));

  expect(text).toContain('note: FAILED with 30 hosts on kube-apiserver and etcd: etcd ended: not found\n');
  expect(JSON.parse(text.split('\n').at(-1) ?? '')).toMatchObject({ figures: { cost_growth_30_to_200_kube: null } });
});

it('names the growth that it explains for the sizes of the run', () => {
  expect(report({}).notes).toContainEqual(expect.stringMatching(/^cost_growth_30_to_200 is .*: 6\.7 is linear$/));
});

function report(change: Partial<FleetRun>): ReturnType<typeof fleetReport> {
  const plan = planFleet(false, [30, 100, 200]);
  return fleetReport({ facts: ['CPU: 2'], plan, results: [WHOLE], hasKubernetes: true, ...change });
}
