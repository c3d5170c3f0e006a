import type { VirtualMachineInstance } from '@smalt/vm-api';

import { HypervisorError } from './hypervisor-error.ts';
import type { Hypervisor } from './hypervisor.ts';
import { hypervisors } from './hypervisors.ts';

type Drivers = readonly [Hypervisor, ...Hypervisor[]];

/** The driver called `name`. Throws `unknown-hypervisor` with the names that exist. */
export function findHypervisor(name: string, among: Drivers = hypervisors): Hypervisor {
  const found = among.find((hypervisor) => hypervisor.name === name);
  if (found) return found;
  const names = among.map((hypervisor) => hypervisor.name).join(', ');
  throw new HypervisorError(
    'unknown-hypervisor',
    `spec.hypervisor: there is no hypervisor "${name}"; use one of ${names}`,
  );
}

/** The driver that an instance asks for, or the usual one. Throws `unknown-hypervisor`. */
export function hypervisorOf({ spec }: Pick<VirtualMachineInstance, 'spec'>, among: Drivers = hypervisors): Hypervisor {
  const { hypervisor = '' } = spec;
  return hypervisor === '' ? among[0] : findHypervisor(hypervisor, among);
}
