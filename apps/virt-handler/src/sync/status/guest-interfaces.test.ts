import { readDomain } from '@smalt/domain-xml';
import { describe, expect, it } from 'vitest';

import { anInstance, domainText } from '../fixtures/an-instance.ts';
import { guestInterfaces } from './guest-interfaces.ts';

const MAC = '02:00:00:00:00:07';
const report = readDomain(
  domainText(
    `<interface type='bridge'><mac address='${MAC}'/><target dev='tap0'/><alias name='ua-interface-default'/></interface>`,
  ),
);
const networks = [
  { domain: { kind: 'tap', name: 'default', tap: 'tap0', mac: MAC }, addresses: ['10.0.2.7'] },
] as const;
const instance = anInstance({}, { domain: { devices: { interfaces: [{ name: 'default', masquerade: {} }] } } });

describe('the interfaces of a guest', () => {
  it('have the addresses that they are given', () => {
    expect(guestInterfaces(instance, { report, networks, guest: undefined })).toMatchObject([
      { name: 'default', mac: MAC, ipAddress: '10.0.2.7', ipAddresses: ['10.0.2.7'], infoSource: 'domain' },
    ]);
  });

  it('have the names and addresses that the guest tells, after those that they are given', () => {
    const inside = { name: 'eth0', mac: MAC, addresses: ['10.0.2.9', 'fe80::7'] };

    const shown = guestInterfaces(instance, { report, networks, guest: { os: undefined, interfaces: [inside] } });

    expect(shown).toMatchObject([
      {
        name: 'default',
        interfaceName: 'eth0',
        ipAddress: '10.0.2.7',
        ipAddresses: ['10.0.2.7', '10.0.2.9', 'fe80::7'],
        infoSource: 'domain, guest-agent',
      },
    ]);
  });

  it('keep what they are given while the guest has no address yet', () => {
    const inside = { name: 'eth0', mac: MAC, addresses: [] };

    const [shown] = guestInterfaces(instance, { report, networks, guest: { os: undefined, interfaces: [inside] } });

    expect(shown).toMatchObject({ interfaceName: 'eth0', ipAddress: '10.0.2.7' });
  });

  it('are followed by those that the guest made itself, but not by its loop', () => {
    const interfaces = [
      { name: 'lo', mac: '00:00:00:00:00:00', addresses: ['127.0.0.1'] },
      { name: 'docker0', mac: '02:42:00:00:00:01', addresses: ['172.17.0.1'] },
      { name: 'down0', mac: '02:42:00:00:00:02', addresses: [] },
    ];

    const shown = guestInterfaces(instance, { report, networks, guest: { os: undefined, interfaces } });

    expect(shown.slice(1)).toEqual([
      {
        interfaceName: 'docker0',
        mac: '02:42:00:00:00:01',
        ipAddress: '172.17.0.1',
        ipAddresses: ['172.17.0.1'],
        infoSource: 'guest-agent',
      },
    ]);
  });

  it('are few, however many the guest makes, and those of its domain are among them', () => {
    const made = Array.from({ length: 200 }, (_, index) => ({
      name: `veth${index}`,
      mac: undefined,
      addresses: ['172.17.0.1'],
    }));
    const interfaces = [...made, { name: 'eth0', mac: MAC, addresses: ['10.0.2.9'] }];

    const shown = guestInterfaces(instance, { report, networks, guest: { os: undefined, interfaces } });

    expect(shown).toHaveLength(32);
    expect(shown[0]).toMatchObject({ interfaceName: 'eth0', ipAddress: '10.0.2.7' });
  });
});
