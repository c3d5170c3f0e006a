import { describe, expect, it } from 'vitest';

import { advanceConnection, isFlapping, type ConnectionHistory, type ConnectionState } from './connection-history.ts';

const settings = { flapChanges: 3, flapWindowMs: 300_000 };

describe('advanceConnection', () => {
  it('remembers since when it is so', () => {
    expect(
      history([
        [0, 'connected'],
        [5, 'connected'],
        [9, 'not connected'],
        [12, 'not connected'],
      ]),
    ).toEqual({
      state: 'not connected',
      since: 9_000,
      lastAt: 12_000,
      changes: [9_000],
    });
  });

  it('leaves the history as it is for an answer it has heard, and for none', () => {
    const old = history([
      [0, 'connected'],
      [5, 'not connected'],
    ]);

    expect(advanceConnection(old, { kind: 'known', value: 'connected', at: 5_000 }, settings)).toBe(old);
    expect(advanceConnection(old, { kind: 'unknown', why: 'timeout', since: 0 }, settings)).toBe(old);
  });
});

describe('flapping', () => {
  // What ovn-controller said of a stopped southbound server, with probes of 5 s.
  const stopped: readonly Told[] = [
    [0, 'connected'],
    [9, 'not connected'],
    [10.4, 'connected'],
    [20.5, 'not connected'],
    [22.4, 'connected'],
    [32.4, 'not connected'],
    [34, 'connected'],
  ];

  it('is seen at the second loss, and while the connection seems to be there', () => {
    expect(stopped.map((_told, index) => flaps(stopped.slice(0, index + 1)))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it('is seen with probes of a minute, too', () => {
    expect(
      flaps([
        [0, 'connected'],
        [120, 'not connected'],
        [121, 'connected'],
        [241, 'not connected'],
        [243, 'connected'],
        [300, 'connected'],
      ]),
    ).toBe(true);
  });

  it('is over once the connection outlasts those before by far', () => {
    expect(flaps([...stopped, [63, 'connected']])).toBe(true);
    expect(flaps([...stopped, [64, 'connected']])).toBe(false);
  });

  it('begins to be counted anew after that', () => {
    expect(flaps([...stopped, [64, 'connected'], [65, 'not connected'], [66, 'connected']])).toBe(false);
  });

  it('is not a restart of the southbound server now and then', () => {
    expect(
      flaps([
        [0, 'connected'],
        [10, 'not connected'],
        [12, 'connected'],
        [311, 'not connected'],
      ]),
    ).toBe(false);
  });

  it('is remembered in bounded room', () => {
    const wild = Array.from({ length: 500 }, (_none, index): Told => [
      index / 10,
      index % 2 ? 'connected' : 'not connected',
    ]);

    expect(history(wild)?.changes).toHaveLength(64);
  });
});

type Told = readonly [seconds: number, state: ConnectionState];

function flaps(told: readonly Told[]): boolean {
  const known = history(told);
  return known !== undefined && isFlapping(known, settings);
}

function history(told: readonly Told[]): ConnectionHistory | undefined {
  return told.reduce<ConnectionHistory | undefined>(
    (old, [seconds, value]) => advanceConnection(old, { kind: 'known', value, at: seconds * 1_000 }, settings),
    undefined,
  );
}
