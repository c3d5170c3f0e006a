import { expect, it } from 'vitest';

import { readSwitchCall } from './switch-call.ts';

it.each([
  ['/switches/ovn-system/n1/v1/trace', { namespace: 'ovn-system', name: 'n1', path: '/v1/trace' }],
  ['/switches/a/n1.example/v1/ports/tap1', { namespace: 'a', name: 'n1.example', path: '/v1/ports/tap1' }],
  ['/switches/a/b/v1/topology', { namespace: 'a', name: 'b', path: '/v1/topology' }],
  ['/switches/a/b/v1/topology/more', undefined],
  ['/switches/a/b/openapi.json', undefined],
  ['/switches/a/b/metrics', undefined],
  ['/switches/a/b', undefined],
  ['/switches/a/v1/trace', undefined],
  ['/switches//b/v1/trace', undefined],
  ['/switches/A/b/v1/trace', undefined],
  ['/switches/a%20/b/v1/trace', undefined],
  ['/switches', undefined],
  ['/switchesa/b/v1/trace', undefined],
])('%s is %o', (path, call) => {
  expect(readSwitchCall(path)).toEqual(call);
});
