import { parseSettings } from '@smalt/ha-service';
import { expect, it } from 'vitest';

import { highAvailabilitySettings, type HighAvailabilityPlaces } from './high-availability-settings.ts';

const PLACES: HighAvailabilityPlaces = {
  listen: '127.0.0.1:0',
  certificateFile: '/data/ha/tls.crt',
  keyFile: '/data/ha/tls.key',
  storePath: '/data/ha/ha.sqlite',
  namespace: 'smalt-system',
  agentAccount: 'smalt-node-agent',
};

it('is taken by the HA service, which fences by nobody but persons where hosts have no controllers', () => {
  const settings = parseSettings(JSON.stringify(highAvailabilitySettings(PLACES)));

  expect(settings.compute.kind).toBe('virtual-machines');
  expect(settings.fencing.levels).toMatchObject([{ driver: 'person' }]);
  expect(settings.sources.push.serviceAccounts).toEqual(['smalt-system:smalt-node-agent']);
});

it('looks after the servers of an OpenStack where there is one, whose computes are missed sooner', () => {
  const settings = parseSettings(JSON.stringify(highAvailabilitySettings({ ...PLACES, hasOpenStack: true })));

  expect(settings.compute.kind).toBe('openstack');
  expect(settings.pace.serviceDownMs).toBe(8_000);
});

it('fences each host by its own controller', () => {
  const urls = { hv1: 'https://127.0.0.1:1001', hv2: 'https://127.0.0.1:1002' };
  const power = { user: 'smalt', passwordFile: '/data/hosts/password', authorityFile: '/data/hosts/bmc.crt', urls };

  const settings = parseSettings(JSON.stringify(highAvailabilitySettings({ ...PLACES, power })));

  expect(settings.fencing.levels).toMatchObject([
    { driver: 'redfish', perHost: { hv1: { url: urls.hv1 }, hv2: { url: urls.hv2 } } },
  ]);
});

it('takes one host at a time for dead, and never as many as half of them and more', () => {
  const { detection } = parseSettings(JSON.stringify(highAvailabilitySettings(PLACES)));

  expect(detection.judgement.signalsNeeded).toBeGreaterThanOrEqual(2);
  expect(detection.brakes).toMatchObject({ maximumMissing: 1, maximumMissingShare: 0.5, isDryRun: false });
});
