import { assert, constantFrom, integer, option, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decideEvacuation, isEvacuated, type EvacuationView } from './decide-evacuation.ts';

const UNDER_WAY = { kind: 'found', uid: 'u1', state: { kind: 'under-way' } } as const;
const SUCCEEDED = { kind: 'found', uid: 'u1', state: { kind: 'succeeded' } } as const;
const FAILED = { kind: 'found', uid: 'u1', state: { kind: 'failed', message: 'no host has room' } } as const;
const GOING = { kind: 'found', uid: 'u1', state: { kind: 'going' } } as const;
const SILENT = { kind: 'unknown', silentMs: 29_999, why: 'refused' } as const;

describe('decideEvacuation', () => {
  it.each<[string, Partial<EvacuationView>, object]>([
    ['ends at once without guests', { running: 0 }, { kind: 'end', outcome: { kind: 'empty' } }],
    [
      'ends without guests whatever the API says',
      { running: 0, eviction: { ...SILENT, silentMs: 1e9 } },
      { kind: 'end', outcome: { kind: 'empty' } },
    ],
    ['makes an Eviction', {}, { kind: 'create' }],
    ['makes one although libvirt is away', { running: undefined }, { kind: 'create' }],
    ['goes by one that somebody else made', { eviction: UNDER_WAY }, { kind: 'follow', uid: 'u1' }],
    ['deletes an old one that succeeded', { eviction: SUCCEEDED }, { kind: 'delete', uid: 'u1' }],
    ['deletes an old one that failed', { eviction: FAILED }, { kind: 'delete', uid: 'u1' }],
    ['waits until an old one is gone', { eviction: GOING }, { kind: 'wait' }],
    ['waits for its own', { eviction: UNDER_WAY, followed: 'u1' }, { kind: 'wait' }],
    [
      'ends when its own succeeded and libvirt says nothing',
      { running: undefined, eviction: SUCCEEDED, followed: 'u1' },
      { kind: 'end', outcome: { kind: 'succeeded' } },
    ],
    [
      'waits for guests that its own left behind',
      { running: 7, eviction: SUCCEEDED, followed: 'u1' },
      { kind: 'wait', why: 'the Eviction has succeeded, but 7 guests still run' },
    ],
    [
      'ends at the limit when guests run that its own left behind',
      { running: 1, eviction: SUCCEEDED, followed: 'u1', elapsedMs: 60_000 },
      { kind: 'end', outcome: { kind: 'out-of-time', why: 'one guest still runs after 60 s' } },
    ],
    [
      'ends when its own failed',
      { eviction: FAILED, followed: 'u1' },
      { kind: 'end', outcome: { kind: 'failed', why: 'no host has room' } },
    ],
    [
      'ends when somebody deleted its own',
      { followed: 'u1' },
      { kind: 'end', outcome: { kind: 'failed', why: 'somebody deleted the Eviction' } },
    ],
    ['goes by another that took its place', { eviction: UNDER_WAY, followed: 'u0' }, { kind: 'follow', uid: 'u1' }],
    ['is patient with the API', { eviction: SILENT }, { kind: 'wait' }],
    [
      'is not patient with the API for ever',
      { eviction: { ...SILENT, silentMs: 30_000 } },
      { kind: 'end', outcome: { kind: 'api-away', why: 'no word for 30 s: refused' } },
    ],
    [
      'ends at the limit',
      { eviction: UNDER_WAY, followed: 'u1', elapsedMs: 60_000 },
      { kind: 'end', outcome: { kind: 'out-of-time', why: '3 guests still run after 60 s' } },
    ],
    [
      'ends at the limit although nobody knows of any guests',
      { running: undefined, elapsedMs: 60_000 },
      { kind: 'end', outcome: { kind: 'out-of-time', why: 'an unknown number of guests still runs after 60 s' } },
    ],
  ])('%s', (_, view, step) => {
    expect(decideEvacuation(viewOf(view))).toEqual(step);
  });

  it('has come to an end when the time is up, in any circumstances', () => {
    const eviction = constantFrom(UNDER_WAY, SUCCEEDED, FAILED, GOING, SILENT, { kind: 'missing' } as const);
    const views = record({
      running: option(integer({ min: 0, max: 9 }), { nil: undefined }),
      eviction,
      followed: constantFrom(undefined, 'u0', 'u1'),
      elapsedMs: integer({ min: 60_000 }),
    });

    assert(property(views, (view) => decideEvacuation(viewOf(view)).kind === 'end'));
  });
});

it.each([
  ['empty', true],
  ['succeeded', true],
  ['failed', false],
  ['out-of-time', false],
  ['api-away', false],
] as const)('after %s the host counts as evacuated: %s', (kind, expected) => {
  expect(isEvacuated({ kind, why: '' })).toBe(expected);
});

function viewOf(view: Partial<EvacuationView>): EvacuationView {
  const eviction = { kind: 'missing' } as const;
  const base = { running: 3, eviction, followed: undefined, elapsedMs: 0, limitMs: 60_000, patienceMs: 30_000 };
  return { ...base, ...view };
}
