import { expect, it } from 'vitest';

import { readOvnSettings, type OvnSettings } from './ovn-settings.ts';

const common = {
  'ovn-remote': 'tcp:a:1',
  'ovn-bridge': 'br-guests',
  'ovn-bridge-mappings': 'net1:br-1, net2:br-2,bad',
};
const own = { 'ovn-remote-hv1': 'tcp:b:2', 'ovn-bridge-hv1': 'br-own', 'ovn-bridge-mappings-hv1': 'net1:br-own-1' };

it.each<[string, Readonly<Record<string, string>>, string | undefined, OvnSettings]>([
  [
    'takes br-int, and nothing else, where nothing is set',
    {},
    undefined,
    { chassis: undefined, remote: undefined, integrationBridge: 'br-int', mappedBridges: [] },
  ],
  [
    'takes what is set for all',
    { 'system-id': 'hv1', ...common },
    undefined,
    { chassis: 'hv1', remote: 'tcp:a:1', integrationBridge: 'br-guests', mappedBridges: ['br-1', 'br-2'] },
  ],
  [
    'prefers what is set for its chassis, in all three',
    { 'system-id': 'hv1', ...common, ...own },
    undefined,
    { chassis: 'hv1', remote: 'tcp:b:2', integrationBridge: 'br-own', mappedBridges: ['br-own-1'] },
  ],
  [
    'goes by the name that ovn-controller was given',
    { 'system-id': 'hv9', ...common, ...own },
    'hv1',
    { chassis: 'hv1', remote: 'tcp:b:2', integrationBridge: 'br-own', mappedBridges: ['br-own-1'] },
  ],
  [
    'takes what is empty for what is not set',
    { 'system-id': '', 'ovn-remote': '', 'ovn-bridge': '', 'ovn-bridge-mappings': '' },
    undefined,
    { chassis: undefined, remote: undefined, integrationBridge: 'br-int', mappedBridges: [] },
  ],
])('%s', (_what, ids, chassis, settings) => {
  const externalIds = new Map(Object.entries(ids));

  expect(readOvnSettings({ externalIds, ...(chassis !== undefined && { chassis }) })).toEqual(settings);
});
