import { describe, expect, it } from 'vitest';

import type { Interface, Network, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { duplicate, invalid, notSupported, required } from '../../cause.ts';
import { devices, withInterface } from '../../fixtures/small-instance.ts';

const blue = { multus: { networkName: 'blue' } };

const LIST = 'spec.domain.devices.interfaces';
const FIRST = `${LIST}[0]`;

describe('the rules about interfaces', () => {
  it.each([
    {
      rule: 'a name has plain characters',
      bad: withInterface({ name: 'd.efault' }),
      causes: [
        invalid(
          `${FIRST}.name`,
          'Network interface name can only contain alphabetical characters, numbers, dashes (-) or underscores (_)',
        ),
      ],
      good: withInterface({ name: 'De_fault-1' }),
    },
    {
      rule: 'a model is known',
      bad: withInterface({ model: 'fast' }),
      causes: [notSupported(`${FIRST}.model`, `interface ${FIRST}.name uses model fast that is not supported.`)],
      good: withInterface({ model: 'igb' }),
    },
    {
      rule: 'a MAC address is one',
      bad: withInterface({ macAddress: 'de:ad:00:00:be' }),
      causes: [invalid(`${FIRST}.macAddress`, `interface ${FIRST}.name has malformed MAC address (de:ad:00:00:be).`)],
      good: withInterface({ macAddress: 'de:ad:00:00:be:af' }),
    },
    {
      rule: 'a MAC address is written in one way',
      bad: withInterface({ macAddress: 'de:ad-00:00:be:af' }),
      causes: [
        invalid(`${FIRST}.macAddress`, `interface ${FIRST}.name has malformed MAC address (de:ad-00:00:be:af).`),
      ],
      good: withInterface({ macAddress: 'dead.0000.beaf' }),
    },
    {
      rule: 'a MAC address is not too long',
      bad: withInterface({ macAddress: 'de:ad:00:00:be:af:be:af' }),
      causes: [
        invalid(`${FIRST}.macAddress`, `interface ${FIRST}.name has too long MAC address (de:ad:00:00:be:af:be:af).`),
      ],
      good: withInterface({ macAddress: 'DE-AD-00-00-BE-AF' }),
    },
    {
      rule: 'a MAC address is not too long in dots either',
      bad: withInterface({ macAddress: 'dead.0000.beaf.beaf' }),
      causes: [
        invalid(`${FIRST}.macAddress`, `interface ${FIRST}.name has too long MAC address (dead.0000.beaf.beaf).`),
      ],
      good: withInterface({ macAddress: '' }),
    },
    {
      rule: 'a PCI address is one',
      bad: withInterface({ pciAddress: '0000:80.10.1' }),
      causes: [invalid(`${FIRST}.pciAddress`, `interface ${FIRST}.name has malformed PCI address (0000:80.10.1).`)],
      good: withInterface({ pciAddress: '0000:81:11.1' }),
    },
    {
      rule: 'an interface is bound',
      bad: connected([{ name: 'a', pod: {} }], [{ name: 'a' }]),
      causes: [invalid(FIRST, 'logical a interface must have exactly one binding method or binding plugin')],
      good: connected([{ name: 'a', pod: {} }], [{ name: 'a', binding: { name: 'plugin' } }]),
    },
    {
      rule: 'an interface is bound once',
      bad: connected([{ name: 'a', pod: {} }], [{ name: 'a', bridge: {}, masquerade: {} }]),
      causes: [invalid(FIRST, 'logical a interface must have exactly one binding method or binding plugin')],
      good: connected([{ name: 'a', pod: {} }], [{ name: 'a', passtBinding: {} }]),
    },
    {
      rule: 'masquerade is for the pod network',
      bad: connected([{ name: 'a', ...blue }], [{ name: 'a', masquerade: {} }]),
      causes: [invalid(`${FIRST}.name`, 'Masquerade interface only implemented with pod network')],
      good: connected([{ name: 'a', pod: {} }], [{ name: 'a', masquerade: {} }]),
    },
    {
      rule: 'masquerade leaves the address of its bridge alone',
      bad: withInterface({ macAddress: '02:00:00:00:00:00' }),
      causes: [
        invalid(
          `${FIRST}.macAddress`,
          'The requested MAC address is reserved for the in-pod bridge. Please choose another one.',
        ),
      ],
      good: withInterface({ bridge: {}, macAddress: '02:00:00:00:00:00' }),
    },
    {
      rule: 'masquerade leaves the address of its bridge alone in every notation',
      bad: withInterface({ macAddress: '0200.0000.0000' }),
      causes: [
        invalid(
          `${FIRST}.macAddress`,
          'The requested MAC address is reserved for the in-pod bridge. Please choose another one.',
        ),
      ],
      good: withInterface({ macAddress: '0200.0000.0001' }),
    },
    {
      rule: 'passt is for the pod network',
      bad: connected([{ name: 'a', ...blue }], [{ name: 'a', passtBinding: {} }]),
      causes: [invalid(`${FIRST}.name`, 'PasstBinding interface only implemented with pod network')],
      good: connected([{ name: 'a', pod: {} }], [{ name: 'a', passtBinding: {} }]),
    },
    {
      rule: 'slirp is gone',
      bad: connected([{ name: 'a', pod: {} }], [{ name: 'a', masquerade: {}, slirp: {} }]),
      causes: [invalid(`${FIRST}.slirp`, 'Slirp interface support has been discontinued since v1.3')],
      good: withInterface({}),
    },
    {
      rule: 'the old passt is gone',
      bad: connected([{ name: 'a', pod: {} }], [{ name: 'a', masquerade: {}, passt: {} }]),
      causes: [invalid(`${FIRST}.passt`, 'Passt network binding has been discontinued since v1.3')],
      good: withInterface({}),
    },
    {
      rule: 'macvtap is gone',
      bad: connected([{ name: 'a', pod: {} }], [{ name: 'a', masquerade: {}, macvtap: {} }]),
      causes: [invalid(`${FIRST}.macvtap`, 'Macvtap network binding has been discontinued since v1.3')],
      good: withInterface({}),
    },
    {
      rule: 'a port has a number',
      bad: withInterface({ ports: [{ port: 0 }] }),
      causes: [required(`${FIRST}.ports[0].port`, 'Port field is mandatory.')],
      good: withInterface({ ports: [{ port: 80 }] }),
    },
    {
      rule: 'the number of a port is not too large',
      bad: withInterface({ ports: [{ port: 65_536 }] }),
      causes: [invalid(`${FIRST}.ports[0].port`, 'Port field must be in range 0 < x < 65536.')],
      good: withInterface({ ports: [{ port: 65_535 }] }),
    },
    {
      rule: 'a protocol is known',
      bad: withInterface({ ports: [{ port: 80, protocol: 'SCTP' }] }),
      causes: [invalid(`${FIRST}.ports[0].protocol`, 'Unknown protocol, only TCP or UDP allowed')],
      good: withInterface({ ports: [{ port: 80, protocol: 'UDP' }] }),
    },
    {
      rule: 'ports have different names',
      bad: withInterface({
        ports: [
          { name: 'web', port: 80 },
          { name: 'web', port: 81 },
        ],
      }),
      causes: [duplicate(`${FIRST}.ports[1].name`, 'Duplicate name of the port: web')],
      good: withInterface({ ports: [{ port: 80 }, { port: 80 }] }),
    },
    {
      rule: 'the name of a port is good',
      bad: withInterface({ ports: [{ name: 'web--1', port: 80 }] }),
      causes: [invalid(`${FIRST}.ports[0].name`, 'Invalid name of the port: web--1')],
      good: withInterface({ ports: [{ name: 'web-1', port: 80 }] }),
    },
    {
      rule: 'a private option stands there once',
      bad: options([240, 240]),
      causes: [invalid('spec', 'Found Duplicates: you have provided duplicate DHCPPrivateOptions')],
      good: options([224, 254]),
    },
    {
      rule: 'a private option is private',
      bad: options([223]),
      causes: [invalid('spec', 'provided DHCPPrivateOptions are out of range, must be in range 224 to 254')],
      good: options([240]),
    },
    {
      rule: 'a time server is an IPv4 address',
      bad: withInterface({ dhcpOptions: { ntpServers: ['::1'] } }),
      causes: [invalid(`${FIRST}.dhcpOptions.ntpServers[0]`, 'NTP servers must be a list of valid IPv4 addresses.')],
      good: withInterface({ dhcpOptions: { ntpServers: ['10.0.0.1'] } }),
    },
    {
      rule: 'a state is known',
      bad: withInterface({ state: 'sideways' }),
      causes: [invalid(`${FIRST}.state`, 'logical default interface state value is unsupported: sideways')],
      good: withInterface({ state: 'down' }),
    },
    {
      rule: 'SR-IOV has no state of its link',
      bad: connected([{ name: 'a', ...blue }], [{ name: 'a', sriov: {}, state: 'up' }]),
      causes: [invalid(`${FIRST}.state`, '"a" interface\'s state "up" is not supported for SR-IOV NICs')],
      good: connected([{ name: 'a', ...blue }], [{ name: 'a', bridge: {}, state: 'up' }]),
    },
    {
      rule: 'only a bridge is taken away, and not from the default network',
      bad: withInterface({ state: 'absent' }),
      causes: [
        invalid(`${FIRST}.state`, '"default" interface\'s state "absent" is supported only for bridge binding'),
        invalid(`${FIRST}.state`, '"default" interface\'s state "absent" is not supported on default networks'),
      ],
      good: connected([{ name: 'a', ...blue }], [{ name: 'a', bridge: {}, state: 'absent' }]),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });

  it('refuses a bridge on the pod network where the cluster does', () => {
    expect(judge(withInterface({ bridge: {} }), { permitBridgeInterfaceOnPodNetwork: false })).toEqual([
      invalid(`${FIRST}.name`, 'Bridge on pod network configuration is not enabled under kubevirt-config'),
    ]);
  });

  it('refuses passt where its gate was closed', () => {
    const parts = connected([{ name: 'a', pod: {} }], [{ name: 'a', passtBinding: {} }]);

    expect(judge(parts, { disabledFeatureGates: ['PasstBinding'] })).toEqual([
      invalid(`${FIRST}.name`, 'PasstBinding feature gate is not enabled'),
    ]);
  });
});

function connected(networks: readonly Network[], interfaces: readonly Interface[]): VirtualMachineInstanceSpec {
  return { ...devices({ interfaces }), networks };
}

function options(numbers: readonly number[]): VirtualMachineInstanceSpec {
  return withInterface({ dhcpOptions: { privateOptions: numbers.map((option) => ({ option, value: 'x' })) } });
}
