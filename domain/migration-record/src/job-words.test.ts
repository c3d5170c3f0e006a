import { expect, it } from 'vitest';

import { jobTypeWord, operationWord } from './job-words.ts';

it('has a word for every type of job, and none for what libvirt may add', () => {
  const words = [0, 1, 2, 3, 4, 5, 6, -1].map(jobTypeWord);

  expect(words).toEqual(['none', 'bounded', 'unbounded', 'completed', 'failed', 'cancelled', 'none', 'none']);
});

it('has a word for every operation', () => {
  const words = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(operationWord);

  expect(words.join(' ')).toBe(
    'unknown start save restore migration_in migration_out snapshot snapshot_revert dump backup snapshot_delete unknown',
  );
});
