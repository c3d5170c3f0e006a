import { describe, expect, it } from 'vitest';

import { causesMessage, refusalOfCauses } from './admission-status.ts';
import { invalid, required, type Cause } from './cause.ts';

describe('refusalOfCauses', () => {
  it('tells every cause and what to do about it', () => {
    const causes = [invalid('spec.a', 'a is wrong', 'Use b.'), required('', 'something is missing')];

    expect(refusalOfCauses(causes)).toEqual({
      apiVersion: 'v1',
      kind: 'Status',
      metadata: {},
      status: 'Failure',
      message: 'a is wrong, something is missing',
      reason: 'Invalid',
      details: {
        causes: [
          { reason: 'FieldValueInvalid', message: 'a is wrong Use b.', field: 'spec.a' },
          { reason: 'FieldValueRequired', message: 'something is missing' },
        ],
      },
      code: 422,
    });
  });

  it('spells out ten causes in the message, and all of them in the details', () => {
    const causes = manyCauses(12);

    const status = refusalOfCauses(causes);

    expect(status.message).toBe('m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, and 2 more validation errors');
    expect(status.details?.causes).toHaveLength(12);
    expect(causesMessage(manyCauses(10))).not.toContain('more');
  });
});

function manyCauses(count: number): readonly Cause[] {
  return Array.from({ length: count }, (_item, index) => invalid('spec', `m${index + 1}`));
}
