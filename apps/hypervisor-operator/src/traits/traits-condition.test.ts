import { expect, it } from 'vitest';

import { failedTraits, traitsCondition } from './traits-condition.ts';

it('says that all is well', () => {
  expect(traitsCondition([], [])).toEqual({
    type: 'TraitsUpdated',
    status: 'True',
    reason: 'Succeeded',
    message: 'Traits successfully updated',
  });
});

it('names every trait that cannot be, and the rule', () => {
  expect(traitsCondition(['custom-a'], ['HW_TYPO'])).toEqual(
    failedTraits(
      'spec.customTraits: "custom-a" is no trait: use up to 255 of A-Z, 0-9 and _, and begin custom ones with CUSTOM_; ' +
        'spec.customTraits: "HW_TYPO" is no standard trait: begin custom ones with CUSTOM_',
    ),
  );
});
