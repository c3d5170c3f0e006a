import type { Interface, Network } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { checkAttachments, chooseAttachment, type WiredInterface } from './choose-attachment.ts';
import { parseAttachment } from './parse-attachment.ts';

const settings = {
  podNetwork: 'nat',
  networks: {
    blue: 'bridge:br-blue',
    'shop/red': 'ovs:br-int:120',
    red: 'ovs:br-int',
    'default/green': 'bridge:br-green',
    'mill/secret': 'bridge:br-secret',
    fast: 'sriov:vendor.example/fast:7',
  },
};

describe('chooseAttachment', () => {
  it.each([
    [{ pod: {} }, { plugin: 'nat' }],
    [{ multus: { networkName: 'blue' } }, { plugin: 'bridge', bridge: 'br-blue' }],
    [{ multus: { networkName: 'red' } }, { plugin: 'ovs', bridge: 'br-int', vlan: 120 }],
    [{ multus: { networkName: 'shop/red' } }, { plugin: 'ovs', bridge: 'br-int', vlan: 120 }],
    [{ multus: { networkName: 'default/green' } }, { plugin: 'bridge', bridge: 'br-green' }],
  ])('takes %o to %o', (network, expected) => {
    expect(chooseAttachment(settings, 'shop', wired(network))).toMatchObject(expected);
  });

  it('takes an interface to functions of cards', () => {
    const card = wired({ multus: { networkName: 'fast' } }, { sriov: {} });

    expect(chooseAttachment(settings, 'shop', card)).toEqual({
      plugin: 'sriov',
      bridge: undefined,
      resource: 'vendor.example/fast',
      vlan: 7,
    });
  });

  it.each([
    [
      'yellow',
      /spec\.networks\[0\]\.multus\.networkName: this node knows no network "yellow" .* setting network.others/,
    ],
    ['mill/secret', /knows no network "mill\/secret" for the namespace shop/],
    ['toString', /knows no network/],
    ['__proto__', /knows no network/],
  ])('refuses the network %s', (networkName, message) => {
    expect(() => chooseAttachment(settings, 'shop', wired({ multus: { networkName } }))).toThrow(
      expect.objectContaining({ code: 'unknown-network', message: expect.stringMatching(message) }),
    );
  });

  it('gives to no other namespace what has the same name', () => {
    expect(chooseAttachment(settings, 'mill', wired({ multus: { networkName: 'red' } }))).toMatchObject({
      plugin: 'ovs',
      vlan: undefined,
    });
  });

  it.each([
    [{ pod: {} }, { sriov: {} }, 'spec.domain.devices.interfaces[1].sriov: its network does not lead to functions'],
    [{ multus: { networkName: 'fast' } }, { bridge: {} }, 'spec.domain.devices.interfaces[1]: its network leads to'],
    [{ pod: {} }, { binding: { name: 'x' } }, 'spec.domain.devices.interfaces[1].binding'],
    [{}, { bridge: {} }, 'spec.networks[0]: this network is neither pod nor multus'],
  ])('refuses %o by %o', (network, card, message) => {
    expect(() => chooseAttachment(settings, 'shop', wired(network, card))).toThrow(
      expect.objectContaining({ code: 'unsupported-network', message: expect.stringContaining(message) }),
    );
  });
});

describe('a setting of a network', () => {
  it.each([
    'NAT',
    'nat:x',
    'bridge',
    'bridge:',
    'bridge:br0:7',
    'bridge:a/b',
    'bridge:-x',
    'bridge:sixteen-letters-',
    'ovs:br0:0',
    'ovs:br0:4095',
    'ovs:br0:1:2',
    'macvtap:eth0',
    'sriov',
    'sriov:fast',
    'sriov:vendor.example/fast:0',
  ])('cannot be %s', (text) => {
    expect(() => parseAttachment(text, 'network.pod')).toThrow(
      expect.objectContaining({ code: 'bad-setting', message: expect.stringMatching(/^network.pod: /) }),
    );
  });

  it('is checked before anything is connected', () => {
    expect(() => checkAttachments({ podNetwork: 'nat', networks: { blue: 'brigde:x' } })).toThrow(
      'network.others: blue: ',
    );
  });
});

function wired(network: Omit<Network, 'name'>, card: Omit<Interface, 'name'> = {}): WiredInterface {
  return {
    network: { name: 'net', ...network },
    networkField: 'spec.networks[0]',
    interface: { name: 'net', ...card },
    interfaceField: 'spec.domain.devices.interfaces[1]',
  };
}
