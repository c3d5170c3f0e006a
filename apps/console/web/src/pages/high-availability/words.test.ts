import { describe, expect, it } from 'vitest';

import type { Judgement, WatchedHost } from './fleet-objects.ts';
import {
  guardWords,
  incidentWords,
  judgementWords,
  obstacleWords,
  rebuildWords,
  signalsWords,
  signalWords,
} from './words.ts';

describe('what is thought of a host', () => {
  it.each<[Judgement | null, string]>([
    [{ kind: 'alive', isRebooted: false }, 'Alive'],
    [{ kind: 'alive', isRebooted: true }, 'Alive, has rebooted'],
    [
      { kind: 'suspect', since: '', dead: ['agent'], missing: ['libvirt'] },
      'Suspect: its agent is silent, others say nothing',
    ],
    [
      { kind: 'condemned', since: '', by: ['agent', 'node-lease', 'storage'] },
      'Lost: its agent, its node lease and its storage agree',
    ],
    [{ kind: 'unknown', blind: ['agent'] }, 'Unknown: nothing can be heard of it'],
    [null, 'Not judged here'],
  ])('is told in words: %j', (judgement, words) => {
    expect(judgementWords(judgement).words).toBe(words);
  });
});

describe('what stands in the way', () => {
  it.each([
    [{ isSwitchedOn: false }, 'High availability is switched off for it.'],
    [{ heldBy: 'i7' }, 'It is held until somebody releases incident i7.'],
    [{ lastRefusal: { brake: 'paused', message: 'somebody has paused it', at: null } }, 'somebody has paused it'],
    [{}, undefined],
  ])('is told: %j', (fields, words) => {
    expect(obstacleWords(host(fields))).toBe(words);
  });
});

it('says that an incident waits for a person', () => {
  expect(incidentWords({ state: 'fencing', needsPerson: true })).toEqual({
    words: 'Being powered off: waits for a person',
    tone: 'bad',
  });
  expect(incidentWords({ state: 'recovered', needsPerson: false })).toEqual({ words: 'Recovered', tone: 'good' });
});

it.each([
  [[], 'nothing heard yet', 'quiet'],
  [['alive', 'alive'], 'all 2 alive', 'good'],
  [['alive', 'doubtful'], 'its libvirt late', 'warning'],
  [['dead', 'blind'], 'its agent dead, its libvirt not heard', 'bad'],
])('says of signals %j: %s', (states, words, tone) => {
  const signals = states.map((state, index) => ({ source: index === 0 ? 'agent' : 'libvirt', state, since: null }));

  expect(signalsWords({ judgement: { kind: 'alive', isRebooted: false }, signals })).toEqual({ words, tone });
});

it('does not say of signals that only the leader knows that nothing was heard', () => {
  expect(signalsWords({ judgement: null, signals: [] }).words).toBe('not known here');
});

it.each([
  [true, 'yes'],
  [false, 'no'],
  [null, 'as its Hypervisor says'],
])('says of a switch that is %s whether the host is guarded: %s', (isSwitchedOn, words) => {
  expect(guardWords({ isSwitchedOn })).toBe(words);
});

it('counts what became of machines, the good first', () => {
  expect(rebuildWords({ failed: 1, rebuilt: 3 })).toBe('3 rebuilt, 1 failed');
  expect(rebuildWords({})).toBe('none known');
});

it('shows states that a later service may have as they are', () => {
  expect(signalWords('humming')).toEqual({ words: 'humming', tone: 'quiet' });
});

function host(fields: Partial<WatchedHost>): WatchedHost {
  return {
    apiVersion: '',
    kind: 'Host',
    metadata: { name: 'hv1' },
    name: 'hv1',
    judgement: null,
    judgedSince: null,
    lastRefusal: null,
    signals: [],
    instances: null,
    isSwitchedOn: true,
    heldBy: null,
    openIncident: null,
    ...fields,
  };
}
