import { expect, it } from 'vitest';

import { parseSwitchView, switchTabDeed } from './switch-view.ts';

it.each([
  [{}, {}],
  [{ tab: 'overview' }, {}],
  [{ tab: 'nonsense', port: '' }, {}],
  [
    { tab: 'trace', bridge: 'br-int', port: 'tap1' },
    { tab: 'trace', bridge: 'br-int', port: 'tap1' },
  ],
  [{ port: 7, bridge: ['a'] }, {}],
])('reads %j as %j', (search, view) => {
  expect(parseSwitchView(search)).toEqual(view);
});

it.each([
  ['overview', 'get', undefined],
  ['ports', 'get', 'diagnostics'],
  ['trace', 'create', 'trace'],
  ['capture', 'create', 'capture'],
] as const)('offers %s to those who may %s %s of that switch', (tab, verb, subresource) => {
  const deed = switchTabDeed(tab, { namespace: 'ovn-system', name: 'n1' });

  expect(deed).toMatchObject({ verb, resource: 'ovsnodes', namespace: 'ovn-system', name: 'n1' });
  expect(deed.subresource).toBe(subresource);
});
