import {
  annotationOf,
  expandTemplate,
  referencedBy,
  type ChosenPart,
  type ChosenSpecs,
  type ExpansionSettings,
} from '@smalt/instance-types';
import type { VirtualMachine } from '@smalt/vm-api';

import type { Problem } from '../frame/problem-of.ts';
import { CHOSEN_PARTS } from './choice-keys.ts';
import type { KeptSpecs } from './kept-specs.ts';
import { conflictProblem, failedFind } from './plan-choices.ts';

/** A machine with the template that its instances are made from, or why there is none. */
export interface EffectiveMachine {
  readonly vm: VirtualMachine;
  readonly problem?: Problem;
}

/** Puts what a machine keeps of its choices into its template. */
export async function effectiveMachine(
  vm: VirtualMachine,
  kept: Pick<KeptSpecs, 'find'>,
  settings: ExpansionSettings,
  signal: AbortSignal,
): Promise<EffectiveMachine> {
  const [instancetype, preference] = await Promise.all([
    kept.find('instancetype', keptRevision(vm, 'instancetype'), signal),
    kept.find('preference', keptRevision(vm, 'preference'), signal),
  ]);
  const found = { instancetype, preference };
  const missing = CHOSEN_PARTS.find((part) => vm.spec[part] !== undefined && found[part] === undefined);
  if (missing !== undefined) return { vm, problem: goneProblem(vm, missing) };
  return expanded(
    vm,
    {
      ...(instancetype === undefined ? {} : { instancetype }),
      ...(preference === undefined ? {} : { preference }),
    },
    settings,
  );
}

function expanded(vm: VirtualMachine, chosen: ChosenSpecs, settings: ExpansionSettings): EffectiveMachine {
  const { spec, ...rest } = vm.spec.template;
  if (spec === undefined) return { vm };
  const expansion = expandTemplate({ ...rest, spec }, chosen, settings);
  if (expansion.kind === 'conflict') return { vm, problem: conflictProblem(expansion.causes) };
  const { metadata, ...template } = expansion.template;
  const annotations = { ...metadata?.annotations, ...referenceAnnotations(vm) };
  return { vm: { ...vm, spec: { ...vm.spec, template: { ...template, metadata: { ...metadata, annotations } } } } };
}

function referenceAnnotations({ spec }: VirtualMachine): Readonly<Record<string, string>> {
  const entries = CHOSEN_PARTS.flatMap((part) => {
    const matcher = spec[part];
    const referenced = matcher === undefined ? undefined : referencedBy(part, matcher);
    return referenced === undefined ? [] : [[annotationOf(part, referenced), referenced.name] as const];
  });
  return Object.fromEntries(entries);
}

function keptRevision({ metadata, status }: VirtualMachine, part: ChosenPart) {
  return { namespace: metadata.namespace, name: status?.[`${part}Ref`]?.controllerRevisionRef?.name ?? '' };
}

function goneProblem(vm: VirtualMachine, part: ChosenPart): Problem {
  const { name } = keptRevision(vm, part);
  const message = `spec.${part}: ControllerRevision ${name} is not there or holds something else: bring it back, or choose another and then this one anew`;
  return { reason: failedFind(part), message };
}
