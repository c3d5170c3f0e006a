import { expect, it } from 'vitest';

import { shortcutHref, SHORTCUTS } from './shortcuts.ts';

it.each([
  { before: undefined, key: '?', href: '/keys' },
  { before: 'g', key: 'v', href: '/virtual-machines' },
  { before: 'x', key: 'v', href: undefined },
  { before: undefined, key: 'g', href: undefined },
  { before: 'g', key: '?', href: '/keys' },
])('leads from $before and $key to $href', ({ before, key, href }) => {
  expect(shortcutHref(before, key)).toBe(href);
});

it('has each combination once', () => {
  const combinations = SHORTCUTS.map(({ keys }) => keys.join(' '));

  expect(new Set(combinations).size).toBe(combinations.length);
});
