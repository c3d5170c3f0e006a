import {
  WellKnownName,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceSpec,
} from '@smalt/vm-api';

import { revisionName } from './revision-name.ts';
import { hasPausedStartRequest, type StateChangeRequests } from './state-change-requests.ts';

/** The annotation that says from which generation of its virtual machine an instance was made. */
export const GENERATION_ANNOTATION = 'kubevirt.io/vm-generation';

/** The instance that starting a virtual machine makes. Admission fills in the rest. */
export function instanceOf(vm: VirtualMachine, requests: StateChangeRequests): VirtualMachineInstance {
  const { metadata, spec } = vm;
  const { template } = spec;
  const generation = metadata.generation ?? 0;
  const revision = revisionName(metadata.uid ?? '', generation);
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ...(template.metadata?.labels === undefined ? {} : { labels: template.metadata.labels }),
      annotations: { ...template.metadata?.annotations, [GENERATION_ANNOTATION]: String(generation) },
      ownerReferences: [
        {
          apiVersion: vm.apiVersion,
          kind: vm.kind,
          name: metadata.name,
          uid: metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      finalizers: [WellKnownName.virtualMachineFinalizer],
    },
    spec: {
      ...withInput(template.spec ?? { domain: { devices: {} } }),
      ...(hasPausedStartRequest(requests) ? { startStrategy: 'Paused' } : {}),
    },
    status: { virtualMachineRevisionName: revision },
  };
}

/** The input device that a machine wants without naming one. */
function withInput(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  const { devices } = spec.domain;
  if (devices.autoattachInputDevice !== true || (devices.inputs ?? []).length > 0) return spec;
  const inputs = [{ name: 'default-0', type: 'tablet' }];
  return { ...spec, domain: { ...spec.domain, devices: { ...devices, inputs } } };
}
