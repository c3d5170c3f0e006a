import { expect, it } from 'vitest';

import { keyOf, shownObject } from './shown-object.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

it('leaves out what is long and no page shows, and nothing else', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', managedFields: [], annotations: { [LAST_APPLIED]: '{}', note: 'kept' } },
    spec: { large: 2n ** 60n },
  };

  expect(shownObject(object)).toBe(
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","annotations":{"note":"kept"}},"spec":{"large":1152921504606846976}}',
  );
  expect(object.metadata.annotations).toHaveProperty([LAST_APPLIED]);
});

it.each([
  [{ name: 'a' }, 'a'],
  [{ name: 'a', namespace: '' }, 'a'],
  [{ name: 'a', namespace: 'b' }, 'b/a'],
])('calls %o %s', (metadata, key) => {
  expect(keyOf({ apiVersion: 'v1', kind: 'Pod', metadata })).toBe(key);
});
