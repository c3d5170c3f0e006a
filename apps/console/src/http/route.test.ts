import { expect, it } from 'vitest';

import { routeOf } from './route.ts';

it.each([
  ['/enter', { kind: 'enter' }],
  ['/session', { kind: 'session' }],
  ['/live', { kind: 'live' }],
  ['/live/more', { kind: 'pages' }],
  ['/api', { kind: 'api' }],
  ['/api/v1/pods', { kind: 'api' }],
  ['/apis/kubevirt.io/v1', { kind: 'api' }],
  ['/version', { kind: 'api' }],
  ['/openapi/v3', { kind: 'api' }],
  ['/apiary', { kind: 'pages' }],
  ['/API/v1/pods', { kind: 'pages' }],
  ['/ha/v1/hosts', { kind: 'high-availability', path: '/api/v1/hosts' }],
  ['/ha/hypervisors/h1', { kind: 'high-availability', path: '/api/hypervisors/h1' }],
  ['/ha', { kind: 'pages' }],
  ['/switches/a/b/v1/trace', { kind: 'switches', call: { namespace: 'a', name: 'b', path: '/v1/trace' } }],
  ['/switches/a/b/metrics', { kind: 'switches', call: undefined }],
  ['/switches', { kind: 'pages' }],
  ['/toString', { kind: 'pages' }],
  ['/metrics', { kind: 'pages' }],
])('%s is answered by %o', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
