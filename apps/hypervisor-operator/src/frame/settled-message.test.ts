import { expect, it } from 'vitest';

import { settledMessage } from './settled-message.ts';

const ONE = 'compute: GET /servers: 500 (req-11111111-1111-4111-8111-111111111111)';
const OTHER = 'compute: GET /servers: 500 (req-22222222-2222-4222-8222-222222222222)';

it.each([
  { title: 'says what is new', told: undefined, message: ONE, settled: ONE },
  { title: 'says what has changed', told: 'busy', message: ONE, settled: ONE },
  { title: 'does not repeat itself because of another request', told: ONE, message: OTHER, settled: ONE },
  {
    title: 'tells other failures apart',
    told: ONE,
    message: OTHER.replace('500', '503'),
    settled: OTHER.replace('500', '503'),
  },
])('$title', ({ told, message, settled }) => {
  expect(settledMessage(told, message)).toBe(settled);
});
