import type { DomainSpec } from '@smalt/vm-api';

import { quantityValue } from '../../parts/quantity-value.ts';
import type { Machine } from './machine.ts';

/** The host it runs on; empty when it does not run. */
export function hostOf({ instance }: Machine): string {
  return instance?.status?.nodeName ?? '';
}

/** The virtual processors it has, or would have. */
export function vcpusOf(machine: Machine): number {
  const { sockets = 1, cores = 1, threads = 1 } = domainOf(machine)?.cpu ?? {};
  return sockets * cores * threads;
}

/** The memory of its guest in bytes; NaN when it is not said. */
export function memoryBytesOf(machine: Machine): number {
  const { memory, resources } = domainOf(machine) ?? {};
  return quantityValue(memory?.guest ?? resources?.requests?.['memory']);
}

/** The addresses of its guest, as far as they are known. */
export function addressesOf({ instance }: Machine): readonly string[] {
  const interfaces = instance?.status?.interfaces ?? [];
  const addresses = interfaces.flatMap(({ ipAddress = '', ipAddresses = [] }) => [ipAddress, ...ipAddresses]);
  return [...new Set(addresses)].filter((address) => address !== '');
}

function domainOf({ virtualMachine, instance }: Machine): DomainSpec | undefined {
  return instance?.spec.domain ?? virtualMachine?.spec.template.spec?.domain;
}
