import { expect, it } from 'vitest';

import { parseHostAgentsConfig, type HostAgentsConfig } from './host-agents-config.ts';

const CONFIG: HostAgentsConfig = {
  node: 'hv1',
  address: '198.18.7.1',
  uuid: '8d5f9f3e-0f6a-4c58-9d5b-1f0f5a3d2c11',
  own: '/data/n',
  cgroupRoot: '/smx/hv1',
  logFile: '/data/hosts/hv1/host.log',
  namespace: 'smalt-system',
  kubeconfigs: { nodeAgent: '/data/a', podRunner: '/data/b', virtHandler: '/data/c', ovsAgent: '/data/d' },
  highAvailability: { url: 'https://198.18.7.254:8443', authorityFile: '/ca', tokenFile: '/t', reportFile: '/r' },
};

it('is read as it was written', () => {
  expect(parseHostAgentsConfig(JSON.stringify(CONFIG))).toEqual(CONFIG);
});

it('has no virt-handler where the libvirt has another master', () => {
  const { virtHandler: _, ...kubeconfigs } = CONFIG.kubeconfigs;

  expect(parseHostAgentsConfig(JSON.stringify({ ...CONFIG, kubeconfigs })).kubeconfigs).toEqual(kubeconfigs);
});

it.each([
  { change: { node: undefined }, says: 'node: is missing in the configuration of a host' },
  { change: { address: 7 }, says: 'address: is missing in the configuration of a host' },
  { change: { kubeconfigs: undefined }, says: 'kubeconfigs: is missing in the configuration of a host' },
  { change: { kubeconfigs: {} }, says: 'kubeconfigs.nodeAgent: is missing in the configuration of a host' },
  {
    change: { highAvailability: { url: '' } },
    says: 'highAvailability.url: is missing in the configuration of a host',
  },
])('is refused without a field: $says', ({ change, says }) => {
  expect(() => parseHostAgentsConfig(JSON.stringify({ ...CONFIG, ...change }))).toThrow(says);
});

it('is refused when it is no object', () => {
  expect(() => parseHostAgentsConfig('[]')).toThrow('the configuration of a host is no JSON object');
});
