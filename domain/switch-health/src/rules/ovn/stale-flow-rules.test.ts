import { expect, it } from 'vitest';

import { healthyFacts, healthyOvn, known, NOW, unknown } from '../../fixtures/build-facts.ts';
import { issueNames, judgeSeries } from '../../fixtures/judge-series.ts';
import { memoryFromStatus } from '../../memory-from-status.ts';
import type { OvnFacts, StaleFlowFacts, SwitchFacts } from '../../switch-facts.ts';

// What ovn-controller left behind when it was killed and two ports and a rule were deleted in OVN.
const cookies = { 0xccad_8e86: 30, 0x1b: 11, 0x2c: 1, 0x3d: 0 };

it('calls flows stale that two scans a minute apart could not explain', () => {
  const judgements = judgeSeries([scan(0, cookies), scan(30_000, cookies), scan(60_000, cookies)]);

  expect(judgements.map((judgement) => issueNames(judgement))).toEqual([[], [], ['Warning UnexplainedFlows br-int']]);
  expect(judgements.at(-1)?.status.issues?.[0]?.message).toBe(
    'Stale flows on br-int: 42 flows are in no table of the southbound database (cookie 0x1b, cookie 0x2c, cookie 0x3d, …)',
  );
});

it('does not call flows stale that ovn-controller was about to replace', () => {
  expect(issueNames(judgeSeries([scan(0, { 1: 4 }), scan(60_000, { 2: 4 })]).at(-1))).toEqual([]);
});

it('lets them go with the next scan that explains all', () => {
  const judgements = judgeSeries([scan(0, cookies), scan(60_000, cookies), scan(90_000, {})]);

  expect(issueNames(judgements.at(-1))).toEqual([]);
});

it('keeps them while no scan can be made, and while the southbound database is not read', () => {
  const found = [scan(0, cookies), scan(60_000, cookies)];

  expect(issueNames(judgeSeries([...found, look(90_000, { staleFlows: unknown() })]).at(-1))).toEqual([
    'Warning UnexplainedFlows br-int',
  ]);
  expect(issueNames(judgeSeries([...found, scan(90_000, undefined)]).at(-1))).toEqual([
    'Warning UnexplainedFlows br-int',
  ]);
});

it('says how many flows are stale already when ovn-controller is dead', () => {
  const dead: Partial<OvnFacts> = { controller: { state: 'gone', since: NOW } };

  const judgement = judgeSeries([scan(0, { 1: 42 }, dead), scan(60_000, { 1: 42 }, dead)]).at(-1);

  expect(issueNames(judgement)).toEqual(['Critical ControllerDown ovn-controller', 'Warning FlowsUnattended br-int']);
  expect(judgement?.status.issues?.[1]?.message).toBe(
    'Flows of br-int may be stale: ovn-controller has ended and left its traces; 42 flows already are (cookie 0x1)',
  );
});

it('gives an ovn-controller that has come back time to catch up', () => {
  const away: Partial<OvnFacts> = { connection: known('not connected', NOW + 30_000) };
  const back = [scan(0, { 1: 4 }), scan(30_000, { 1: 4 }, away), scan(60_000, { 1: 4 })];

  expect(issueNames(judgeSeries(back).at(-1))).toEqual([]);
  expect(issueNames(judgeSeries([...back, scan(120_000, { 1: 4 })]).at(-1))).toEqual([
    'Warning UnexplainedFlows br-int',
  ]);
});

it('calls flows stale that name ports which are not there, whoever is dead', () => {
  const dead: Partial<OvnFacts> = { controller: { state: 'gone', since: NOW } };
  const ports = new Map([[4, 2]]);

  const judgement = judgeSeries([scan(0, undefined, dead, ports), scan(60_000, undefined, dead, ports)]).at(-1);

  expect(judgement?.status.issues).toContainEqual({
    severity: 'Warning',
    message: 'Stale flows on br-int: 2 flows name ports that are not there (port 4)',
    reason: 'FlowsToMissingPorts',
    subject: 'br-int',
    detectedAt: '2025-02-03T10:15:00Z',
    advice: 'Look at whether ovn-controller works; a restart of it removes them',
  });
});

it('keeps them from when they were first seen over a restart, until a scan was made', () => {
  const found = judgeSeries([scan(0, cookies, {}, new Map([[4, 1]])), scan(60_000, cookies, {}, new Map([[4, 1]]))]);
  const memory = memoryFromStatus(found.at(-1)?.status);
  const times = ['2025-02-03T10:15:00Z', '2025-02-03T10:15:00Z'];

  const unscanned = judgeSeries([look(61_000, { staleFlows: undefined })], {}, memory).at(-1);
  const off = judgeSeries([look(61_000, { staleFlows: undefined, isScanning: false })], {}, memory).at(-1);

  expect(found.at(-1)?.status.issues?.map(({ detectedAt }) => detectedAt)).toEqual(times);
  expect(unscanned?.status.issues).toEqual(found.at(-1)?.status.issues);
  expect(issueNames(off)).toEqual([]);
});

it('counts one flow in the singular', () => {
  const ports = new Map([[4, 1]]);

  const judgement = judgeSeries([scan(0, { 1: 1 }, {}, ports), scan(60_000, { 1: 1 }, {}, ports)]).at(-1);

  expect(judgement?.status.issues?.map(({ message }) => message)).toEqual([
    'Stale flows on br-int: 1 flow is in no table of the southbound database (cookie 0x1)',
    'Stale flows on br-int: 1 flow names ports that are not there (port 4)',
  ]);
});

function scan(
  ms: number,
  unexplained: Readonly<Record<number, number>> | undefined,
  part: Partial<OvnFacts> = {},
  missingPorts: ReadonlyMap<number, number> = new Map(),
): SwitchFacts {
  const flows: StaleFlowFacts = {
    scanned: 246,
    unexplained: unexplained && new Map(Object.entries(unexplained).map(([cookie, count]) => [BigInt(cookie), count])),
    missingPorts,
  };
  return look(ms, { staleFlows: known(flows, NOW + ms), ...part });
}

function look(ms: number, part: Partial<OvnFacts>): SwitchFacts {
  return healthyFacts({ at: NOW + ms, ovn: healthyOvn(part, NOW + ms) });
}
