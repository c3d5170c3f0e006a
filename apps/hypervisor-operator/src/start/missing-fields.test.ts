import { expect, it } from 'vitest';

import { inner, missingFields } from './missing-fields.ts';

const text = { type: 'string' };
const progress = { type: 'object', properties: { moved: text, left: text } };
const wanted = {
  properties: { progress, instances: { type: 'array', items: { properties: { id: text, fault: text } } } },
};

it.each([
  { what: 'the same', served: wanted, missing: [] },
  { what: 'more', served: { properties: { ...wanted.properties, other: text } }, missing: [] },
  { what: 'none of the fields', served: {}, missing: ['.status.progress', '.status.instances'] },
  { what: 'nothing', served: undefined, missing: ['.status.progress', '.status.instances'] },
  {
    what: 'less of a field',
    served: { properties: { ...wanted.properties, progress: { properties: { left: text } } } },
    missing: ['.status.progress.moved'],
  },
  {
    what: 'less of the items of a list',
    served: { properties: { ...wanted.properties, instances: { items: { properties: { id: text } } } } },
    missing: ['.status.instances[].fault'],
  },
  { what: 'anything', served: { 'x-kubernetes-preserve-unknown-fields': true }, missing: [] },
])('finds what is missing where $what is declared', ({ served, missing }) => {
  expect(missingFields(wanted, served, '.status')).toEqual(missing);
});

it('looks into things of any shape', () => {
  expect(inner({ a: { b: 1 } }, 'a', 'b')).toBe(1);
  expect(inner({ a: null }, 'a', 'b')).toBeUndefined();
  expect(inner({}, 'toString')).toBeUndefined();
});
