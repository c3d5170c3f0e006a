import type { Interface } from '@smalt/vm-api';

import type { DomainNetwork } from '../domain-network.ts';
import type { DomainInput } from '../domain-step.ts';
import { DomainXmlError } from '../domain-xml-error.ts';

export interface PlannedInterface {
  readonly card: Interface;
  readonly network: DomainNetwork;
  readonly field: string;
}

/** The interfaces that the guest has, each with its place on the node. Throws `missing-network` if one has none. */
export function plannedInterfaces({ instance, context }: DomainInput): readonly PlannedInterface[] {
  const cards = instance.spec.domain.devices.interfaces ?? [];
  return cards.flatMap((card, index) => {
    if (card.state === 'absent') return [];
    const field = `spec.domain.devices.interfaces[${index}]`;
    const network = context.networks.find(({ name }) => name === card.name);
    if (network) return [{ card, network, field }];
    const message = `the network "${card.name}" is not connected on the node; look at the events of the instance`;
    throw new DomainXmlError('missing-network', message, { field: `${field}.name` });
  });
}
