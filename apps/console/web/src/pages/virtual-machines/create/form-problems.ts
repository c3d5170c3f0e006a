import type { StatusCause } from '@smalt/kubernetes';

import type { MachineForm } from './machine-form.ts';

/** What is wrong, beside the fields it is wrong with; `other` is what no field of the form stands for. */
export interface FormProblems {
  readonly byField: Readonly<Partial<Record<keyof MachineForm, string>>>;
  readonly other: readonly string[];
}

export const NO_PROBLEMS: FormProblems = { byField: {}, other: [] };

/** What has to be filled in before the server is asked for anything. */
export function missingFields({ name, namespace, disk, diskName }: MachineForm): FormProblems {
  const byField = {
    ...(name === '' ? { name: 'Enter a name' } : {}),
    ...(namespace === '' ? { namespace: 'Enter a namespace' } : {}),
    ...(disk !== 'blank' && diskName === ''
      ? { diskName: disk === 'image' ? 'Enter the name of an image' : 'Enter the name of a claim' }
      : {}),
  };
  return { byField, other: [] };
}

const SPEC = 'spec.template.spec';

/** Which field of the form a path of the object belongs to: the longest beginning wins. */
const FIELDS: readonly (readonly [string, keyof MachineForm])[] = [
  ['metadata.name', 'name'],
  ['metadata.namespace', 'namespace'],
  [`${SPEC}.domain.cpu`, 'cores'],
  [`${SPEC}.domain.memory`, 'memoryMiB'],
  [`${SPEC}.domain.resources.requests.memory`, 'memoryMiB'],
  [`${SPEC}.hypervisor`, 'hypervisor'],
  [`${SPEC}.networks`, 'network'],
  [`${SPEC}.domain.devices.interfaces`, 'network'],
  [`${SPEC}.volumes[0].emptyDisk`, 'diskGiB'],
  [`${SPEC}.volumes[0]`, 'diskName'],
  [`${SPEC}.domain.devices.disks[0]`, 'diskName'],
  [`${SPEC}.volumes[1]`, 'userData'],
  ['spec.runStrategy', 'isStarted'],
];

/** Sorts the server's causes to the fields of the form. */
export function formProblems(causes: readonly StatusCause[], message: string): FormProblems {
  const byField: Partial<Record<keyof MachineForm, string>> = {};
  const other: string[] = [];
  for (const cause of causes) {
    const field = FIELDS.find(([path]) => isWithin(cause.field ?? '', path))?.[1];
    const words = cause.message ?? '';
    if (field === undefined) other.push(cause.field === undefined ? words : `${cause.field}: ${words}`);
    else byField[field] = byField[field] === undefined ? words : `${byField[field]} ${words}`;
  }
  return { byField, other: causes.length === 0 && message !== '' ? [message] : other };
}

function isWithin(field: string, path: string): boolean {
  return field === path || field.startsWith(`${path}.`) || field.startsWith(`${path}[`);
}
