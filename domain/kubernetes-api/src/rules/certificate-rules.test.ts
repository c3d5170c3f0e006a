import type { JsonObject } from '@smalt/json';
import { formatFieldError } from '@smalt/resource';
import { expect, it } from 'vitest';

import { certificateSigningRequestRules, validateApproval } from './certificate-rules.ts';

const NOTHING = csr();
const APPROVED = { type: 'Approved', status: 'True' };
const DENIED = { type: 'Denied', status: 'True' };

it.each<[string, JsonObject, readonly string[]]>([
  ['an approval', csr(APPROVED), []],
  [
    'both decisions at once',
    csr(DENIED, APPROVED),
    ['status.conditions: Invalid value: "Approved": Approved and Denied conditions are mutually exclusive'],
  ],
  [
    'an approval that is false',
    csr({ type: 'Approved', status: 'False' }),
    ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
  ],
  ['an approval without a status', csr({ type: 'Approved' }), ['status.conditions[0].status: Required value']],
  [
    'a condition with an unknown status',
    csr({ type: 'X', status: 'Perhaps' }),
    ['status.conditions[0].status: Unsupported value: "Perhaps": supported values: "False", "True", "Unknown"'],
  ],
  [
    'a condition that is there twice',
    csr({ type: 'X', status: 'True' }, { type: 'X', status: 'True' }),
    ['status.conditions[1].type: Duplicate value: "X"'],
  ],
  ['a condition without a type', csr({ status: 'True' }), ['status.conditions[0].type: Required value']],
])('tells an approver what is wrong with %s', (_what, next, expected) => {
  const errors = validateApproval(next, NOTHING);

  expect(errors.map(formatFieldError)).toEqual(expected);
});

it.each<[string, JsonObject, JsonObject, readonly string[]]>([
  ['add one', NOTHING, csr(DENIED), ['status.conditions: Forbidden: updates may not add a condition of type "Denied"']],
  [
    'change one',
    csr(APPROVED),
    csr({ ...APPROVED, reason: 'Forged' }),
    ['status.conditions: Forbidden: updates may not modify a condition of type "Approved"'],
  ],
  [
    'remove one',
    csr(APPROVED),
    NOTHING,
    ['status.conditions: Forbidden: updates may not remove a condition of type "Approved"'],
  ],
  ['leave one alone and add that it failed', csr(APPROVED), csr(APPROVED, { type: 'Failed', status: 'True' }), []],
])('leaves decisions to approvers when the writer of a status would %s', (_what, old, next, expected) => {
  const errors = certificateSigningRequestRules.validateStatusUpdate?.(next, old) ?? [];

  expect(errors.map(formatFieldError)).toEqual(expected);
});

function csr(...conditions: readonly JsonObject[]): JsonObject {
  return { metadata: { name: 'r' }, status: { conditions } };
}
