import { inspect } from 'node:util';

import { expect, it } from 'vitest';

import { Secret } from './secret.ts';

it('is shown to who asks for it, and to nobody else', () => {
  const secret = new Secret('hidden-from-all');
  const shown = [String(secret), JSON.stringify({ secret }), inspect({ secret }, { showHidden: true, depth: 5 })];

  expect(secret.reveal()).toBe('hidden-from-all');
  expect(shown.join(' ')).not.toContain('hidden');
  expect(shown.slice(0, 2)).toEqual(['<secret>', '{"secret":"<secret>"}']);
});
