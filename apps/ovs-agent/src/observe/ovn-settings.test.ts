import { expect, it } from 'vitest';

import { readOvnSettings } from './ovn-settings.ts';

it.each([
  { ids: {}, settings: { remote: undefined, chassis: undefined, integrationBridge: 'br-int' } },
  {
    ids: { 'ovn-remote': 'tcp:10.0.0.1:6642', 'system-id': 'hv1', 'ovn-bridge': 'br-ovn' },
    settings: { remote: 'tcp:10.0.0.1:6642', chassis: 'hv1', integrationBridge: 'br-ovn' },
  },
  {
    ids: {
      'ovn-remote': 'tcp:a:1',
      'ovn-remote-hv1': 'tcp:b:1,tcp:c:1',
      'ovn-remote-hv2': 'tcp:d:1',
      'system-id': 'hv1',
    },
    settings: { remote: 'tcp:b:1,tcp:c:1', chassis: 'hv1', integrationBridge: 'br-int' },
  },
  { ids: { 'ovn-remote': '' }, settings: { remote: undefined, chassis: undefined, integrationBridge: 'br-int' } },
])('reads $ids', ({ ids, settings }) => {
  const externalIds = new Map(Object.entries<string>(ids).filter(([, value]) => value !== undefined));

  expect(readOvnSettings({ externalIds })).toEqual(settings);
});
