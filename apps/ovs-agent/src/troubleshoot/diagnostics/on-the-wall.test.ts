import { expect, it } from 'vitest';

import { onTheWall } from './on-the-wall.ts';

it.each([
  [
    { kind: 'known', value: 1, at: 5_000 },
    { kind: 'known', value: 1, at: 4_000 },
  ],
  [
    { kind: 'unknown', why: 'it is silent', since: 5_000 },
    { kind: 'unknown', why: 'it is silent', since: 4_000 },
  ],
])('tells %j by a clock that was set back', (told, onWall) => {
  expect(onTheWall(told, -1_000)).toEqual(onWall);
});
