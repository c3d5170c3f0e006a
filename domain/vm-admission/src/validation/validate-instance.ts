import type { VirtualMachineInstance } from '@smalt/vm-api';

import { isControlPlane, type AdmissionContext } from '../admission-context.ts';
import type { Cause } from '../cause.ts';
import { validateArchitectureDevices } from './devices/validate-architecture-devices.ts';
import { validateHyperv } from './firmware/validate-hyperv.ts';
import { validateArchitecture } from './general/validate-architecture.ts';
import { validateMetadata } from './general/validate-metadata.ts';
import { validateMemoryIsGiven } from './memory/validate-memory.ts';
import { validateDiscontinuedBindings } from './networks/validate-bindings.ts';
import type { SpecRule } from './spec-rule.ts';
import { validateHypervisor } from './validate-hypervisor.ts';
import { validateSpec } from './validate-spec.ts';
import { validateVolumeDisks } from './volumes/validate-volume-disks.ts';

/** What only a whole instance can be asked for: templates may get the rest from elsewhere. */
const INSTANCE_RULES: readonly SpecRule[] = [validateHyperv, validateArchitecture, validateArchitectureDevices];

/** Every reason why a new instance, with its defaults filled in, cannot be taken. None: it can. */
export function validateInstance(instance: VirtualMachineInstance, context: AdmissionContext): readonly Cause[] {
  const { settings, requester } = context;
  const scope = { path: 'spec', spec: instance.spec, settings };
  return [
    ...validateDiscontinuedBindings(scope),
    ...validateSpec(scope),
    ...validateVolumeDisks(scope),
    ...validateMemoryIsGiven(scope),
    ...validateMetadata({
      path: 'metadata',
      metadata: instance.metadata,
      settings,
      isControlPlane: isControlPlane(requester),
    }),
    ...INSTANCE_RULES.flatMap((rule) => rule(scope)),
    ...validateHypervisor(scope, context.refusalsOf),
  ];
}
