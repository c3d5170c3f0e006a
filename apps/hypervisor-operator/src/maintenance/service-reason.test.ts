import { expect, it } from 'vitest';

import { serviceReason } from './service-reason.ts';

it.each([
  { what: 'plain words', text: 'Eviction: kernel update', kept: 'Eviction: kernel update' },
  { what: 'letters of all languages', text: 'Wartung: Lüfter, 保守', kept: 'Wartung: Lüfter, 保守' },
  { what: 'a picture', text: 'fire \u{1f525} in rack 7', kept: 'fire ? in rack 7' },
  { what: 'half a picture', text: 'fire \ud83d', kept: 'fire ?' },
  { what: 'several lines', text: 'one\r\n\ttwo\u0000\u2028three\n', kept: 'one two three' },
  { what: 'a long text', text: 'w'.repeat(400), kept: 'w'.repeat(255) },
  { what: 'a long text of pictures', text: '\u{1f525}'.repeat(400), kept: '?'.repeat(255) },
  { what: 'a text that is cut at a gap', text: `${'w'.repeat(254)} x`, kept: 'w'.repeat(254) },
  { what: 'nothing', text: 'Eviction: ', kept: 'Eviction:' },
])('keeps of $what what a database takes', ({ text, kept }) => {
  expect(serviceReason(text)).toBe(kept);
  expect(serviceReason(kept)).toBe(kept);
});
