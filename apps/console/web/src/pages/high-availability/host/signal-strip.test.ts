import { expect, it } from 'vitest';

import { historyNote, readHistory, shownSpan, stretchesOf } from './signal-strip.ts';

const HOUR = { fromMs: Date.parse('2026-01-01T00:00:00Z'), toMs: Date.parse('2026-01-01T01:00:00Z') };

it('cuts changes into stretches, the last of which goes on until now', () => {
  const changes = [
    { at: '2026-01-01T00:15:00Z', state: 'alive' },
    { at: '2026-01-01T00:45:00Z', state: 'dead' },
  ];

  expect(stretchesOf(changes, HOUR)).toEqual([
    { from: 0.25, to: 0.75, state: 'alive', at: '2026-01-01T00:15:00Z' },
    { from: 0.75, to: 1, state: 'dead', at: '2026-01-01T00:45:00Z' },
  ]);
});

it('leaves out what was over before, and begins at the edge with what was so then', () => {
  const changes = [
    { at: '2025-12-31T10:00:00Z', state: 'dead' },
    { at: '2025-12-31T12:00:00Z', state: 'alive' },
  ];

  expect(stretchesOf(changes, HOUR)).toEqual([{ from: 0, to: 1, state: 'alive', at: '2025-12-31T12:00:00Z' }]);
});

it.each([
  [undefined, 10],
  ['2026-01-01T00:58:00Z', 10],
  ['2026-01-01T00:30:00Z', 30],
  ['2025-12-31T00:00:00Z', 60],
])('shows of a host known since %s the last %i minutes', (at, minutes) => {
  const judgements = at === undefined ? [] : [{ at, state: 'alive' }];

  const { fromMs, toMs } = shownSpan({ judgements, signals: [] }, HOUR.toMs);

  expect((toMs - fromMs) / 60_000).toBe(minutes);
});

it.each([[undefined], ['text'], [{ signals: 3 }], [{ judgements: [{ at: 7 }] }]])(
  'takes an answer that is none for nothing: %j',
  (answer) => {
    expect(readHistory(answer)).toEqual({ isJudgedHere: true, judgements: [], signals: [] });
  },
);

it.each([
  [{ isJudgedHere: true, judgements: [] }, 'has not judged it yet'],
  [{ isJudgedHere: false, judgements: [] }, 'does not judge hosts: only its leader does. Reload'],
  [{ isJudgedHere: false, judgements: [{ at: '2026-01-01T00:00:00Z', state: 'alive' }] }, 'ends with the time'],
])('says who judges when %j was answered', (answer, words) => {
  expect(historyNote(readHistory({ ...answer, signals: [] }))).toContain(words);
});

it('says nothing more when the leader has told of the host', () => {
  const judgements = [{ at: '2026-01-01T00:00:00Z', state: 'alive' }];

  expect(historyNote(readHistory({ isJudgedHere: true, judgements, signals: [] }))).toBeUndefined();
});
