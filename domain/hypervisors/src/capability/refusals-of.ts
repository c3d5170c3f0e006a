import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { Hypervisor } from '../hypervisor.ts';
import { asksForIt, findFields } from './find-fields.ts';

/** Why a hypervisor cannot run an instance as it is. */
export interface Refusal {
  /** The path of the field that asks for what cannot be had. */
  readonly field: string;
  readonly hypervisor: string;
  /** The field, the hypervisor and what to do instead, in one sentence. */
  readonly message: string;
}

/**
 * Everything in an instance that a hypervisor cannot do, each place once; nothing if it can run it. `root` is the path
 * of the spec: `spec.template.spec` in a VirtualMachine.
 */
export function refusalsOf(
  hypervisor: Pick<Hypervisor, 'name' | 'incapabilities'>,
  { spec }: Pick<VirtualMachineInstance, 'spec'>,
  root: string = 'spec',
): readonly Refusal[] {
  return hypervisor.incapabilities.flatMap(({ field, when = asksForIt, reason, instead }) =>
    findFields(spec, field, root)
      .filter(({ value }) => when(value, spec))
      .map(({ path }) => ({
        field: path,
        hypervisor: hypervisor.name,
        message: `${path}: the hypervisor ${hypervisor.name} ${reason}; ${instead}`,
      })),
  );
}
