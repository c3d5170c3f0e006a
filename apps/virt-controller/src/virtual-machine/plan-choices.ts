import {
  expandTemplate,
  referencedBy,
  revisionOf,
  statusReference,
  unknownKindMessage,
  type AnyInstancetype,
  type AnyPreference,
  type ChosenPart,
  type ExpansionSettings,
  type KeptRevision,
  type Referenced,
} from '@smalt/instance-types';
import { isSameJson, type JsonValue } from '@smalt/json';
import type { InstancetypeStatusRef, VirtualMachine, VirtualMachineInstancetypeSpec } from '@smalt/vm-api';

import type { Problem } from '../frame/problem-of.ts';
import { CHOSEN_PARTS } from './choice-keys.ts';

/** What the status says of what a machine has chosen. */
interface ChoiceStatus {
  readonly instancetypeRef?: InstancetypeStatusRef;
  readonly preferenceRef?: InstancetypeStatusRef;
}

/** What has to be done so that a machine keeps what it has chosen as it was then. */
export type ChoicePlan =
  | { readonly kind: 'settled' }
  | { readonly kind: 'keep'; readonly revisions: readonly KeptRevision[]; readonly status: ChoiceStatus }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Looks an instance type or a preference up; undefined when it is not there. */
export type FindChoice = (referenced: Referenced) => AnyInstancetype | AnyPreference | undefined;

type Kept =
  | { readonly problem: Problem }
  | { readonly reference: InstancetypeStatusRef; readonly revision?: KeptRevision };

/** Decides which copies are made and what the status says. What is kept already is not looked at again. */
export function planChoices(vm: VirtualMachine, find: FindChoice, settings: ExpansionSettings): ChoicePlan {
  const revisions: KeptRevision[] = [];
  const status: { instancetypeRef?: InstancetypeStatusRef; preferenceRef?: InstancetypeStatusRef } = {};
  for (const part of CHOSEN_PARTS) {
    if (vm.spec[part] === undefined) continue;
    const kept = keep(vm, part, find, settings);
    if ('problem' in kept) return { kind: 'problem', problem: kept.problem };
    status[`${part}Ref`] = kept.reference;
    if (kept.revision !== undefined) revisions.push(kept.revision);
  }
  const isSame = CHOSEN_PARTS.every((part) => isSameReference(status[`${part}Ref`], vm.status?.[`${part}Ref`]));
  return isSame ? { kind: 'settled' } : { kind: 'keep', revisions, status };
}

function keep(vm: VirtualMachine, part: ChosenPart, find: FindChoice, settings: ExpansionSettings): Kept {
  const matcher = vm.spec[part] ?? {};
  const { reference, needsRevision } = statusReference(matcher, vm.status?.[`${part}Ref`]);
  if (!needsRevision) return { reference };
  const referenced = referencedBy(part, matcher);
  const object = referenced === undefined ? undefined : find(referenced);
  if (referenced === undefined || object === undefined) return { problem: notFound(vm, part, referenced) };
  const conflict = part === 'instancetype' ? conflictOf(vm, object, settings) : undefined;
  if (conflict !== undefined) return { problem: conflict };
  const revision = revisionOf(vm, referenced, object);
  return { reference: { ...reference, controllerRevisionRef: { name: revision.name } }, revision };
}

/** It may have changed since admission let the machine through; once it is kept, nobody can change it any more. */
function conflictOf(
  { spec }: VirtualMachine,
  { spec: chosen }: AnyInstancetype | AnyPreference,
  settings: ExpansionSettings,
): Problem | undefined {
  const { spec: template } = spec.template;
  if (template === undefined || !isInstancetype(chosen)) return undefined;
  const expansion = expandTemplate({ ...spec.template, spec: template }, { instancetype: chosen }, settings);
  if (expansion.kind === 'expanded') return undefined;
  return conflictProblem(expansion.causes);
}

/** In words for people, what stands against an instance type. */
export function conflictProblem(causes: readonly { readonly message: string }[]): Problem {
  return { reason: 'FailedCreate', message: causes.map(({ message }) => message).join(', ') };
}

function isInstancetype(spec: AnyInstancetype['spec'] | AnyPreference['spec']): spec is VirtualMachineInstancetypeSpec {
  return 'memory' in spec;
}

function notFound({ metadata, spec }: VirtualMachine, part: ChosenPart, referenced: Referenced | undefined): Problem {
  const reason = failedFind(part);
  const matcher = spec[part] ?? {};
  if ((matcher.name ?? '') === '') {
    return { reason, message: `spec.${part}.name is not set: name one, or have admission infer it from a volume` };
  }
  if (referenced === undefined) return { reason, message: unknownKindMessage(part, matcher) };
  const { kind, isNamespaced } = referenced.kind;
  const where = isNamespaced ? ` in namespace ${metadata.namespace ?? ''}` : '';
  return {
    reason,
    message: `spec.${part}: there is no ${kind} ${referenced.name}${where}: create it, or name another`,
  };
}

/** The reason of conditions for what is not there. */
export function failedFind(part: ChosenPart): string {
  return part === 'instancetype' ? 'FailedFindInstancetype' : 'FailedFindPreference';
}

function isSameReference(
  left: InstancetypeStatusRef | undefined,
  right: InstancetypeStatusRef | null | undefined,
): boolean {
  return isSameJson(jsonOf(left), jsonOf(right));
}

function jsonOf(reference: InstancetypeStatusRef | null | undefined): JsonValue {
  if (reference === undefined || reference === null) return null;
  const { controllerRevisionRef, ...texts } = reference;
  const said = Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { ...Object.fromEntries(said), revision: controllerRevisionRef?.name ?? '' };
}
