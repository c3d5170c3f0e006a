import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import { acceptNames, claimedNames } from './accept-names.ts';

const wanted = { plural: 'apples', singular: 'apple', kind: 'Apple', listKind: 'AppleList', shortNames: ['ap', 'a'] };

it('grants names that nobody else has', () => {
  expect(acceptNames(definition(wanted), claimedNames([]))).toEqual({
    names: wanted,
    condition: { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
  });
});

it.each([
  { taken: { plural: 'apples' }, reason: 'PluralConflict', message: '"apples" is already in use' },
  { taken: { plural: 'apple' }, reason: 'SingularConflict', message: '"apple" is already in use' },
  { taken: { shortNames: ['ap'] }, reason: 'ShortNamesConflict', message: '"ap" is already in use' },
  {
    taken: { shortNames: ['ap', 'a'] },
    reason: 'ShortNamesConflict',
    message: '["ap" is already in use, "a" is already in use]',
  },
  { taken: { kind: 'Apple' }, reason: 'KindConflict', message: '"Apple" is already in use' },
  { taken: { listKind: 'AppleList' }, reason: 'ListKindConflict', message: '"AppleList" is already in use' },
])('says $reason when another one holds $taken', ({ taken, reason, message }) => {
  const { condition } = acceptNames(definition(wanted), claimedNames([{ status: { acceptedNames: taken } }]));

  expect(condition).toEqual({ type: 'NamesAccepted', status: 'False', reason, message });
});

it('lets a definition keep what it holds when it asks for what is taken', () => {
  const held = { ...wanted, shortNames: ['ap'] };
  const crd = { ...definition(wanted), status: { acceptedNames: held } };

  const { names } = acceptNames(crd, claimedNames([{ status: { acceptedNames: { shortNames: ['a'] } } }]));

  expect(names).toEqual(held);
});

function definition(names: JsonObject): JsonObject {
  return { spec: { names } };
}
