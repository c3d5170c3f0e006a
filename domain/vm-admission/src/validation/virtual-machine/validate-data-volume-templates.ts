import type { DataVolumeSpec, DataVolumeTemplateSpec, VirtualMachine } from '@smalt/vm-api';

import { invalid, required, type Cause } from '../../cause.ts';

/** Volumes that are made along with a virtual machine can be made, and are used by it. The path is the one that clients know. */
export function validateDataVolumeTemplates({ spec }: VirtualMachine): readonly Cause[] {
  const volumes = spec.template?.spec?.volumes ?? [];
  return (spec.dataVolumeTemplates ?? []).flatMap((template, index) => {
    const field = `spec.dataVolumeTemplate[${index}]`;
    const cause = template === null ? undefined : templateProblem(template, field);
    if (cause !== undefined) return [cause];
    const name = template?.metadata?.name;
    const isUsed = volumes.some(
      ({ persistentVolumeClaim, dataVolume }) => persistentVolumeClaim?.claimName === name || dataVolume?.name === name,
    );
    if (isUsed) return [];
    const message = `DataVolumeTemplate entry ${field} must be referenced in the VMI template's 'volumes' list`;
    return [required(field, message, `Add a volume with dataVolume.name ${name ?? ''}, or remove the entry.`)];
  });
}

/** Volumes are made next to the virtual machine, never in another namespace. */
export function validateDataVolumeNamespaces({ spec }: VirtualMachine, namespace: string): readonly Cause[] {
  return (spec.dataVolumeTemplates ?? []).flatMap((template, index) => {
    const own = template?.metadata?.namespace ?? '';
    if (own === '' || own === namespace) return [];
    const message = `Embedded DataVolume namespace ${own} differs from VM namespace ${namespace}`;
    return [invalid(`spec.dataVolumeTemplates[${index}]`, message, 'Leave the namespace out.')];
  });
}

function templateProblem({ metadata, spec }: DataVolumeTemplateSpec, field: string): Cause | undefined {
  const { name } = metadata ?? {};
  if (name === undefined || name === '') {
    const message = `'name' field must not be empty for DataVolumeTemplate entry ${field}.name.`;
    return required(`${field}.name`, message);
  }
  if (spec.pvc === undefined && spec.storage === undefined) {
    return invalid(`${field}.PVC.Storage`, 'Missing Data volume PVC or Storage');
  }
  if (spec.pvc !== undefined && spec.storage !== undefined) {
    const message = 'Duplicate storage definition, both target storage and target pvc defined';
    return invalid(`${field}.PVC.Storage`, message);
  }
  return sourceProblem(spec, field);
}

function sourceProblem(spec: DataVolumeSpec, field: string): Cause | undefined {
  const { dataSource, dataSourceRef } = spec.pvc ?? spec.storage ?? {};
  const isFilledByOthers = dataSource !== undefined || dataSourceRef !== undefined;
  const hasSource = spec.source !== undefined || spec.sourceRef !== undefined;
  if (isFilledByOthers && hasSource) {
    return invalid(`${field}.source`, 'External population is incompatible with Source and SourceRef');
  }
  if (!isFilledByOthers && !hasSource) {
    const message = 'Data volume should have either Source, SourceRef, or be externally populated';
    return invalid(`${field}.source.sourceRef`, message);
  }
  if (spec.source === undefined) return undefined;
  const count = Object.values(spec.source).filter((source) => source !== undefined && source !== null).length;
  if (count === 0) return invalid(`${field}.source`, 'Missing dataVolume valid source');
  return count > 1 ? invalid(`${field}.source`, 'Multiple dataVolume sources') : undefined;
}
