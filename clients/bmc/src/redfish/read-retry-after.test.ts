import { expect, it } from 'vitest';

import { readRetryAfterMs } from './read-retry-after.ts';

it.each([
  { header: undefined, answered: undefined, waitMs: undefined },
  { header: '0', answered: undefined, waitMs: 0 },
  { header: ' 7 ', answered: undefined, waitMs: 7000 },
  { header: '-7', answered: undefined, waitMs: undefined },
  { header: 'soon', answered: 'Thu, 01 Jan 1970 00:00:10 GMT', waitMs: undefined },
  // The clock of this controller was never set: what counts is the time between its two dates.
  { header: 'Thu, 01 Jan 1970 00:00:15 GMT', answered: 'Thu, 01 Jan 1970 00:00:10 GMT', waitMs: 5000 },
  { header: 'Thu, 01 Jan 1970 00:00:05 GMT', answered: 'Thu, 01 Jan 1970 00:00:10 GMT', waitMs: 0 },
  { header: 'Thu, 01 Jan 1970 00:00:15 GMT', answered: undefined, waitMs: undefined },
])('reads $header at $answered as $waitMs ms', ({ header, answered, waitMs }) => {
  expect(readRetryAfterMs(header, answered)).toBe(waitMs);
});
