import type { Interface } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import type { DomainNetwork } from '../domain-network.ts';
import { anInput, anInstance } from '../fixtures/an-instance.ts';
import { printStep } from '../fixtures/print-step.ts';
import { interfacesStep } from './interfaces-step.ts';

const tap: DomainNetwork = { kind: 'tap', name: 'a', tap: 'tap0', mac: '02:00:00:00:00:01', mtu: 1450 };

describe('an interface', () => {
  it('is a tap device that was made beforehand', () => {
    expect(print({}, tap)).toBe(
      "<interface type='ethernet'><mac address='02:00:00:00:00:01'/><target dev='tap0' managed='no'/>" +
        "<model type='virtio-non-transitional'/><mtu size='1450'/><rom enabled='no'/><alias name='ua-interface-a'/></interface>",
    );
  });

  it.each([
    [{ macAddress: '02-00-00-00-00-AA' }, tap, "<mac address='02:00:00:00:00:aa'/>"],
    [{ macAddress: '0200.0000.00AA' }, tap, "<mac address='02:00:00:00:00:aa'/>"],
    [{ macAddress: '' }, tap, "<mac address='02:00:00:00:00:01'/>"],
    [{ model: 'e1000e' }, tap, "<model type='e1000e'/>"],
    [{ state: 'down' }, tap, "<link state='down'/>"],
    [{ bootOrder: 1 }, tap, "<boot order='1'/>"],
    [{ acpiIndex: 7 }, tap, "<acpi index='7'/>"],
    [{ pciAddress: '0000:00:11.0' }, tap, "slot='0x11'"],
    [{}, { ...tap, queues: 4 }, "<driver name='vhost' queues='4'/>"],
    [{}, { kind: 'bridge', name: 'a', bridge: 'br0' }, "type='bridge'><source bridge='br0'/><model "],
    [
      {},
      { kind: 'bridge', name: 'a', bridge: 'br0', device: 'card7' },
      "type='bridge'><source bridge='br0'/><target dev='card7'/><model ",
    ],
    [
      {},
      { kind: 'bridge', name: 'a', bridge: 'br-int', ovsInterfaceId: 'id-1' },
      "<source bridge='br-int'/><virtualport type='openvswitch'><parameters interfaceid='id-1'/></virtualport>",
    ],
    [
      {},
      { kind: 'bridge', name: 'a', bridge: 'br-int', ovsInterfaceId: 'id-1', vlan: 120 },
      "<source bridge='br-int'/><vlan><tag id='120'/></vlan><virtualport type='openvswitch'>",
    ],
    [
      { bootOrder: 1, pciAddress: '0000:00:11.0' },
      { kind: 'pci', name: 'a', address: '0000:3b:02.1' },
      "<hostdev mode='subsystem' type='pci' managed='no'><source><address domain='0x0000' bus='0x3b' slot='0x02' function='0x1'/>" +
        "</source><boot order='1'/><alias name='ua-interface-a'/><address type='pci'",
    ],
    [
      {
        ports: [{ port: 22 }, { port: 53, protocol: 'UDP' }],
        portRanges: [{ protocol: 'TCP', start: 8000, end: 8010 }],
      },
      { kind: 'passt', name: 'a', device: 'eth0' },
      "<backend type='passt'/><portForward proto='tcp' dev='eth0'><range start='22'/><range start='8000' end='8010'/>" +
        "</portForward><portForward proto='udp' dev='eth0'><range start='53'/></portForward>",
    ],
  ] as const)('%o on %o has %s', (card, network, expected) => {
    expect(print(card, network)).toContain(expected);
  });

  it.each([
    [{ bootOrder: 1 }, tap, '<rom'],
    [{}, { ...tap, queues: 1 }, '<driver'],
    [{ model: 'e1000' }, { ...tap, queues: 4 }, '<driver'],
  ] as const)('%o on %o does not have %s', (card, network, unwanted) => {
    expect(print(card, network)).not.toContain(unwanted);
  });

  it('that is absent is left out', () => {
    expect(print({ state: 'absent' }, tap)).toBeUndefined();
  });

  it('that is not connected on the node is refused', () => {
    expect(() => print({}, { ...tap, name: 'other' })).toThrow(
      expect.objectContaining({
        code: 'missing-network',
        message: expect.stringContaining('interfaces[0].name: the network "a" is not connected on the node'),
      }),
    );
  });
});

it.each(['02:00:00:00:00:00:00:01', 'mine'])('the hardware address %s is refused', (macAddress) => {
  expect(() => print({ macAddress }, tap)).toThrow(
    expect.objectContaining({ code: 'invalid-field', field: 'spec.domain.devices.interfaces[0].macAddress' }),
  );
});

function print(card: Partial<Interface>, network: DomainNetwork): string | undefined {
  const instance = anInstance({ devices: { interfaces: [{ name: 'a', ...card }] } });
  return printStep(interfacesStep, anInput(instance, { networks: [network] }))[0];
}
