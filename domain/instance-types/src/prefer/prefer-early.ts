import type { VirtualMachine, VirtualMachinePreferenceSpec } from '@smalt/vm-api';

import { fillIn } from './fill-in.ts';

type DataVolumeTemplates = NonNullable<VirtualMachine['spec']['dataVolumeTemplates']>;

/**
 * A machine with what a preference says of the parts that are fixed when the machine is written: architecture, machine
 * type, and the storage class of its volumes. All else is filled in when an instance is made.
 */
export function preferEarly(machine: VirtualMachine, preference: VirtualMachinePreferenceSpec): VirtualMachine {
  const { template, dataVolumeTemplates } = machine.spec;
  const storageClassName = preference.volumes?.preferredStorageClassName ?? '';
  const volumes =
    dataVolumeTemplates === undefined || storageClassName === ''
      ? {}
      : { dataVolumeTemplates: withStorageClass(dataVolumeTemplates, storageClassName) };
  if (template?.spec === undefined) return { ...machine, spec: { ...machine.spec, ...volumes } };
  const filled = fillIn(template.spec, {
    architecture: preference.preferredArchitecture,
  });
  const type = preference.machine?.preferredMachineType ?? '';
  const domain =
    type === '' ? filled.domain : { ...filled.domain, machine: fillIn(filled.domain.machine ?? {}, { type }) };
  return { ...machine, spec: { ...machine.spec, ...volumes, template: { ...template, spec: { ...filled, domain } } } };
}

function withStorageClass(templates: DataVolumeTemplates, storageClassName: string): DataVolumeTemplates {
  return templates.map((template) => {
    if (template?.spec === undefined || template.spec === null) return template;
    const { pvc, storage } = template.spec;
    return {
      ...template,
      spec: {
        ...template.spec,
        ...(pvc === undefined ? {} : { pvc: { storageClassName, ...pvc } }),
        ...(storage === undefined ? {} : { storage: { storageClassName, ...storage } }),
      },
    };
  });
}
