import { describe, expect, it } from 'vitest';

import { decideAnswerer } from './decide-answerer.ts';
import { leaderPlace, placeAnnotations } from './leader-place.ts';

const FOLLOWS = {
  isLeading: false,
  leader: { identity: 'blue', url: 'https://10.0.0.7:8443' },
  asksLeader: true,
  isPassedOn: false,
  hasToken: true,
};

describe('who answers', () => {
  it.each([
    ['the leader by itself', { isLeading: true }, 'here'],
    ['the leader what was passed on to it', { isLeading: true, isPassedOn: true }, 'here'],
    ['the leader for one that follows', {}, 'leader'],
    ['nobody what was passed on to one that follows', { isPassedOn: true }, 'nobody'],
    ['one that follows, where the settings say so', { asksLeader: false }, 'here'],
    ['one that follows, for who shows a certificate', { hasToken: false }, 'here'],
    ['one that follows while nobody leads', { leader: undefined }, 'here'],
    [
      'one that follows a leader that does not say where it is',
      { leader: { identity: 'blue', url: undefined } },
      'here',
    ],
  ])('is %s', (_, change, kind) => {
    expect(decideAnswerer({ ...FOLLOWS, ...change })).toMatchObject({ kind });
  });
});

describe('the place of a leader', () => {
  it.each([
    ['https://10.0.0.7:8443', 'https://10.0.0.7:8443'],
    ['https://[fd00::7]:8443', 'https://[fd00::7]:8443'],
    ['http://10.0.0.7:8443', undefined],
    ['https://10.0.0.7:8443/elsewhere', undefined],
    ['https://user:word@10.0.0.7:8443', undefined],
    ['https://10.0.0.7:8443?a', undefined],
    ['nonsense', undefined],
    ['', undefined],
  ])('is taken from %j as %j', (text, url) => {
    expect(leaderPlace({ identity: 'blue', annotations: placeAnnotations('blue', text) })).toEqual({
      identity: 'blue',
      url,
    });
  });

  it('is not what another one has written', () => {
    const annotations = placeAnnotations('red', 'https://10.0.0.8:8443');

    expect(leaderPlace({ identity: 'blue', annotations })).toEqual({ identity: 'blue', url: undefined });
  });

  it('is unknown while nobody leads, or says where it is', () => {
    expect([leaderPlace(undefined), leaderPlace({ identity: 'blue', annotations: {} })]).toEqual([
      undefined,
      { identity: 'blue', url: undefined },
    ]);
  });
});
