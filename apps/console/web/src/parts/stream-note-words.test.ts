import { expect, it } from 'vitest';

import type { StreamState } from '../live/open-stream.ts';
import { streamNoteWords } from './stream-note-words.ts';

it.each<[StreamState, string | undefined]>([
  [{ kind: 'connecting' }, undefined],
  [{ kind: 'open' }, undefined],
  [{ kind: 'lost', message: 'gone' }, 'The log has stopped, trying again'],
  [{ kind: 'refused', message: 'no' }, 'The log cannot be shown'],
])('says of a stream that is %j: %s', (state, title) => {
  expect(streamNoteWords(state, 'log')?.title).toBe(title);
});

it('does not flicker between two measurements', () => {
  expect(streamNoteWords({ kind: 'lost', message: '' }, 'usage')).toBeUndefined();
  expect(streamNoteWords({ kind: 'lost', message: 'no handler' }, 'usage')?.message).toBe('no handler');
});
