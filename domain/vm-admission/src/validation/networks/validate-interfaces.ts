import { isIPv4 } from 'node:net';

import { canonicalMac, type Interface } from '@smalt/vm-api';

import { invalid, notSupported, type Cause } from '../../cause.ts';
import { isPciAddress, PCI_ADDRESS_ADVICE } from '../pci-address.ts';
import type { SpecScope } from '../spec-rule.ts';
import { validatePorts } from './validate-ports.ts';
import { validatePortRanges } from './validate-port-ranges.ts';

const NAME = /^[A-Za-z0-9-_]+$/;
const MODELS: readonly string[] = ['e1000', 'e1000e', 'igb', 'ne2k_pci', 'pcnet', 'rtl8139', 'virtio'];
const FIRST_PRIVATE_OPTION = 224;
const LAST_PRIVATE_OPTION = 254;

/** Each interface for itself: its name, model, addresses, ports and what it tells by DHCP. */
export function validateInterfaces({ path, spec, settings }: SpecScope): readonly Cause[] {
  const podNetworks = new Set((spec.networks ?? []).filter(({ pod }) => pod !== undefined).map(({ name }) => name));
  return (spec.domain.devices.interfaces ?? []).flatMap((nic, index) => {
    const field = `${path}.domain.devices.interfaces[${index}]`;
    const isOnPodNetwork = podNetworks.has(nic.name);
    return [
      ...validateNameAndModel(nic, field),
      ...validateAddresses(nic, field),
      ...(isOnPodNetwork ? validatePorts(nic.ports ?? [], `${field}.ports`) : []),
      ...validatePortRanges(nic, field, { isOnPodNetwork, settings }),
      ...validateDhcp(nic, field, path),
    ];
  });
}

function validateNameAndModel({ name, model = '' }: Interface, field: string): readonly Cause[] {
  const nameMessage =
    'Network interface name can only contain alphabetical characters, numbers, dashes (-) or underscores (_)';
  const modelMessage = `interface ${field}.name uses model ${model} that is not supported.`;
  return [
    ...(NAME.test(name) ? [] : [invalid(`${field}.name`, nameMessage)]),
    ...(model === '' || MODELS.includes(model)
      ? []
      : [notSupported(`${field}.model`, modelMessage, `Use one of ${MODELS.join(', ')}.`)]),
  ];
}

function validateAddresses({ macAddress = '', pciAddress = '' }: Interface, field: string): readonly Cause[] {
  const macProblem = macAddress === '' ? undefined : macAddressProblem(macAddress);
  const causes: Cause[] = [];
  if (macProblem !== undefined) {
    const message = `interface ${field}.name has ${macProblem} (${macAddress}).`;
    causes.push(invalid(`${field}.macAddress`, message, 'Write it like 02:42:ac:11:00:02.'));
  }
  if (pciAddress !== '' && !isPciAddress(pciAddress)) {
    const message = `interface ${field}.name has malformed PCI address (${pciAddress}).`;
    causes.push(invalid(`${field}.pciAddress`, message, PCI_ADDRESS_ADVICE));
  }
  return causes;
}

// Addresses of 8 and 20 bytes are well-formed too, but no network card has one.
function macAddressProblem(address: string): string | undefined {
  if (canonicalMac(address) !== undefined) return undefined;
  const bytes = /^[\da-f]{2}([:-])(?:[\da-f]{2}\1)*[\da-f]{2}$/i.test(address) ? address.split(/[:-]/).length : 0;
  const words = /^[\da-f]{4}(?:\.[\da-f]{4})+$/i.test(address) ? address.split('.').length * 2 : 0;
  return [8, 20].includes(Math.max(bytes, words)) ? 'too long MAC address' : 'malformed MAC address';
}

function validateDhcp({ dhcpOptions }: Interface, field: string, path: string): readonly Cause[] {
  const { privateOptions = [], ntpServers = [] } = dhcpOptions ?? {};
  const numbers = privateOptions.map(({ option }) => option);
  const optionAdvice = `See ${field}.dhcpOptions.privateOptions.`;
  const duplicates = 'Found Duplicates: you have provided duplicate DHCPPrivateOptions';
  const outOfRange = 'provided DHCPPrivateOptions are out of range, must be in range 224 to 254';
  return [
    ...(new Set(numbers).size < numbers.length ? [invalid(path, duplicates, optionAdvice)] : []),
    ...numbers
      .filter((option) => option < FIRST_PRIVATE_OPTION || option > LAST_PRIVATE_OPTION)
      .map(() => invalid(path, outOfRange, optionAdvice)),
    ...ntpServers.flatMap((server, index) =>
      isIPv4(server)
        ? []
        : [invalid(`${field}.dhcpOptions.ntpServers[${index}]`, 'NTP servers must be a list of valid IPv4 addresses.')],
    ),
  ];
}
