import { expect, it } from 'vitest';

import { renderMatchRule } from './match-rule.ts';

it('renders only what a rule names, quoted as the bus wants it', () => {
  const rule = renderMatchRule({ sender: 'org.example.A', member: 'Went', arguments: { 0: "it's", 2: 'a,b' } });

  expect(rule).toBe(String.raw`type='signal',sender='org.example.A',member='Went',arg0='it'\''s',arg2='a,b'`);
});
