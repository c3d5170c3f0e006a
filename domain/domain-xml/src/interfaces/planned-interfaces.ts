import { canonicalMac, type Interface } from '@smalt/vm-api';

import type { DomainNetwork } from '../domain-network.ts';
import type { DomainInput } from '../domain-step.ts';
import { DomainXmlError } from '../domain-xml-error.ts';

export interface PlannedInterface {
  readonly card: Interface;
  readonly network: DomainNetwork;
  /** Its hardware address, if the instance or the node gives it one. */
  readonly mac: string | undefined;
  readonly field: string;
}

/**
 * The interfaces that the guest has, each with its place on the node. Throws `missing-network` if one has none, and
 * `invalid-field` if its hardware address is none.
 */
export function plannedInterfaces({ instance, context }: DomainInput): readonly PlannedInterface[] {
  const cards = instance.spec.domain.devices.interfaces ?? [];
  return cards.flatMap((card, index) => {
    if (card.state === 'absent') return [];
    const field = `spec.domain.devices.interfaces[${index}]`;
    const network = context.networks.find(({ name }) => name === card.name);
    if (network) return [{ card, network, mac: macOf(card, network, field), field }];
    const message = `the network "${card.name}" is not connected on the node; look at the events of the instance`;
    throw new DomainXmlError('missing-network', message, { field: `${field}.name` });
  });
}

function macOf({ macAddress = '' }: Interface, network: DomainNetwork, field: string): string | undefined {
  const text = macAddress === '' ? network.mac : macAddress;
  if (text === undefined) return undefined;
  const mac = canonicalMac(text);
  if (mac !== undefined) return mac;
  const message = `"${text}" is no MAC address of a network card; write it like 02:42:ac:11:00:02`;
  throw new DomainXmlError('invalid-field', message, { field: `${field}.macAddress` });
}
