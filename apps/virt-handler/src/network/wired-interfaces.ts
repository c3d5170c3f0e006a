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

/**
 * The address that a handler gave an interface, as the status tells it. Handlers alone write `ipAddress` where they give
 * addresses; `ipAddresses` has the word of the guest as well, which is never taken.
 */
export function heldAddress({ status }: VirtualMachineInstance, network: string): string | undefined {
  const shown = status?.interfaces?.find(({ name }) => name === network)?.ipAddress?.split('/', 1)[0];
  return shown === '' ? undefined : shown;
}
