import type { VirtualMachineInstance } from '@smalt/vm-api';

import { VirtHandlerError } from '../virt-handler-error.ts';
import type { WiredInterface } from './choose-attachment.ts';

/** The interfaces that an instance has, each with its network. Throws `unknown-network` for one without. */
export function wiredInterfaces({ spec }: VirtualMachineInstance): readonly WiredInterface[] {
  const networks = spec.networks ?? [];
  return (spec.domain.devices.interfaces ?? []).flatMap((card, index) => {
    if (card.state === 'absent') return [];
    const interfaceField = `spec.domain.devices.interfaces[${index}]`;
    const at = networks.findIndex(({ name }) => name === card.name);
    const network = networks[at];
    if (network) return [{ network, networkField: `spec.networks[${at}]`, interface: card, interfaceField }];
    const field = `${interfaceField}.name`;
    const message = `${field}: spec.networks has no network ${JSON.stringify(card.name)}; add it there`;
    throw new VirtHandlerError('unknown-network', message, { field });
  });
}

/** The addresses that the status shows of an interface, without the length of their networks. */
export function shownAddresses({ status }: VirtualMachineInstance, network: string): readonly string[] {
  const shown = status?.interfaces?.find(({ name }) => name === network);
  const addresses = [...(shown?.ipAddress ? [shown.ipAddress] : []), ...(shown?.ipAddresses ?? [])];
  return [...new Set(addresses.map((address) => address.split('/', 1)[0] ?? ''))].filter((address) => address !== '');
}
