import { expect, it } from 'vitest';

import { resourcePath } from './resource-path.ts';

it.each([
  [
    { group: '', version: 'v1', plural: 'pods', namespace: 'n', name: 'p', subresource: 'log' },
    '/api/v1/namespaces/n/pods/p/log',
  ],
  [{ group: 'kvm.cloud.sap', version: 'v1', plural: 'hypervisors' }, '/apis/kvm.cloud.sap/v1/hypervisors'],
  [{ group: 'a.b', version: 'v1', plural: 'things', name: 'x/y' }, '/apis/a.b/v1/things/x%2Fy'],
])('finds the path of %j', (location, path) => {
  expect(resourcePath(location)).toBe(path);
});
