import { expect, it } from 'vitest';

import { checkNameParameter } from './check-name-parameter.ts';

it.each([
  { name: 'a%b', why: "may not contain '%'" },
  { name: 'a/b%', why: "may not contain '/';may not contain '%'" },
  { name: '.', why: "may not be '.'" },
  { name: '..', why: "may not be '..'" },
])('refuses a request about $name', ({ name, why }) => {
  expect(() => checkNameParameter(name)).toThrow(`Name parameter invalid: "${name}": ${why}`);
});

it.each(['a', 'a.b', '...', 'system:node', 'A b', ''])(
  'lets a request about %j pass, whether there is one or not',
  (name) => {
    expect(() => checkNameParameter(name)).not.toThrow();
  },
);
