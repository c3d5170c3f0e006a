import { expect, it } from 'vitest';

import { advanceScans, lasting, MAXIMUM_SUSPICIONS, type FlowScanHistory } from './flow-scan-history.ts';

it('gives what two scans far enough apart have found, and every one between', () => {
  const history = scans([0, { 1: 2, 2: 1 }], [30, { 1: 2, 3: 1 }], [60, { 1: 4, 2: 1, 3: 1 }]);

  // Of the second cookie the scan between has found nothing, the third is too young.
  expect(lasting(history.cookies, history.at, 60_000)).toEqual([{ key: 1n, firstAt: 0, flows: 4 }]);
});

it('is not moved by a scan that it has seen', () => {
  const history = scans([0, { 1: 2 }]);

  expect(advanceScans(history, scan(0, { 9: 1 }))).toBe(history);
});

it('gives nothing from one scan alone, however short the wait', () => {
  expect(lasting(scans([0, { 1: 2 }]).cookies, 0, 0)).toEqual([]);
});

it('forgets cookies when they could not be explained for want of the southbound database', () => {
  const read = scans([0, { 1: 2 }]);
  const unread = { at: 60_000, flows: { scanned: 9, unexplained: undefined, missingPorts: new Map([[4, 2]]) } };

  expect(advanceScans(read, unread)).toEqual({
    at: 60_000,
    cookies: new Map(),
    ports: new Map([[4, { firstAt: 60_000, flows: 2 }]]),
  });
});

it('remembers a bounded number', () => {
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_none, index) => [index + 1, 1]));

  expect(scans([0, many]).cookies.size).toBe(MAXIMUM_SUSPICIONS);
});

type Cookies = Readonly<Record<number, number>>;

function scans(...all: readonly (readonly [seconds: number, cookies: Cookies])[]): FlowScanHistory {
  const empty: FlowScanHistory = { at: -1, cookies: new Map(), ports: new Map() };
  return all.reduce((old, [seconds, cookies]) => advanceScans(old, scan(seconds, cookies)), empty);
}

function scan(seconds: number, cookies: Cookies) {
  const unexplained = new Map(Object.entries(cookies).map(([cookie, flows]) => [BigInt(cookie), flows]));
  return { at: seconds * 1_000, flows: { scanned: 100, unexplained, missingPorts: new Map<number, number>() } };
}
