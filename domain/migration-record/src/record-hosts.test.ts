import { expect, it } from 'vitest';

import { areOfOthers, hasRoomFor, isOfHost } from './record-hosts.ts';

it.each([
  [{}, false],
  [{ origin: 'a' }, true],
  [{ destination: 'a' }, true],
  [{ origin: 'b', destination: 'c' }, false],
])('knows whether %j is of host a', (hosts, isOf) => {
  expect(isOfHost(hosts, 'a')).toBe(isOf);
});

it.each([
  [{}, true],
  [{ destination: 'b' }, true],
  [{ origin: 'a', destination: 'b' }, true],
  [{ origin: 'b' }, false],
])('knows whether %j has room for the origin a', (hosts, hasRoom) => {
  expect(hasRoomFor(hosts, { role: 'origin', host: 'a' })).toBe(hasRoom);
});

it.each([
  [{ origin: 'a' }, { destination: 'b' }, false],
  [{ origin: 'a' }, { origin: 'a', destination: 'b' }, false],
  [{ origin: 'a', destination: 'b' }, { origin: 'a', destination: 'c' }, true],
  [{ origin: 'a' }, { origin: 'b' }, true],
])('knows whether %j and %j are of two migrations', (left, right, areTwo) => {
  expect(areOfOthers(left, right)).toBe(areTwo);
  expect(areOfOthers(right, left)).toBe(areTwo);
});
