import { expect, it } from 'vitest';

import { incidentDeedWords } from './incident-deed.ts';

it.each([
  ['confirm-off', 'hv1 counts as off', 'hv1 does not count as off'],
  ['close', 'The incident of hv1 is closed', 'The incident of hv1 is still open'],
  ['release', 'hv1 returns once it shows life', 'hv1 is still held'],
] as const)('tells of %s: %s, or %s', (deed, done, failed) => {
  expect(incidentDeedWords(deed, 'hv1')).toEqual({ done, failed });
});
