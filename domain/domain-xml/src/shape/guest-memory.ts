import type { VirtualMachineInstance } from '@smalt/vm-api';

import { DomainXmlError } from '../domain-xml-error.ts';
import { readBytes } from './read-bytes.ts';

export interface GuestMemory {
  readonly guestBytes: bigint;
  /** How far it can grow while it runs; `undefined` when it cannot. */
  readonly maxBytes: bigint | undefined;
  readonly hugepageBytes: bigint | undefined;
}

/** The memory of an instance, from where admission takes it too when `memory.guest` is not set. */
export function guestMemoryOf(instance: VirtualMachineInstance): GuestMemory {
  const { memory } = instance.spec.domain;
  const guestBytes = guestBytesOf(instance);
  const pageSize = memory?.hugepages?.pageSize;
  const maxBytes =
    memory?.maxGuest === undefined ? undefined : readBytes(memory.maxGuest, 'spec.domain.memory.maxGuest');
  return {
    guestBytes,
    maxBytes: maxBytes !== undefined && maxBytes > guestBytes && canGrow(instance) ? maxBytes : undefined,
    hugepageBytes: pageSize === undefined ? undefined : readBytes(pageSize, 'spec.domain.memory.hugepages.pageSize'),
  };
}

function guestBytesOf({ spec: { domain } }: VirtualMachineInstance): bigint {
  const candidates = [
    ['spec.domain.memory.guest', domain.memory?.guest],
    ['spec.domain.resources.requests.memory', domain.resources?.requests?.['memory']],
    ['spec.domain.resources.limits.memory', domain.resources?.limits?.['memory']],
    ['spec.domain.memory.hugepages.pageSize', domain.memory?.hugepages?.pageSize],
  ] as const;
  for (const [field, value] of candidates) if (value !== undefined) return readBytes(value, field);
  throw new DomainXmlError('missing-field', 'no memory is asked for; set it', { field: 'spec.domain.memory.guest' });
}

/** Memory that is tied to the host's cells, locked or encrypted is there from the start, all of it. */
function canGrow({ spec: { domain } }: VirtualMachineInstance): boolean {
  const isTied = domain.cpu?.realtime !== undefined || domain.cpu?.numa?.guestMappingPassthrough !== undefined;
  return !isTied && domain.launchSecurity === undefined && domain.devices.disableHotplug !== true;
}
