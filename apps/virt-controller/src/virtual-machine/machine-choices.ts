import { keyOf, mappedSource, type ControllerSource, type ObjectKey } from '@smalt/controller-runtime';
import type { ExpansionSettings } from '@smalt/instance-types';
import type { VirtualMachine } from '@smalt/vm-api';

import { IndexName } from '../frame/index-names.ts';
import type { Problem } from '../frame/problem-of.ts';
import type { ChoiceSources, VirtControllerContext } from '../virt-controller-context.ts';
import { effectiveMachine, type EffectiveMachine } from './effective-machine.ts';
import { findChoice } from './keep-choices.ts';
import type { KeptSpecs } from './kept-specs.ts';
import { planChoices, type ChoicePlan } from './plan-choices.ts';

/** What is not there yet may come, and a machine that waits for it is looked at then. */
export function choiceSources({ choices, machines }: VirtControllerContext): readonly ControllerSource[] {
  if (choices === undefined) return [];
  const { virtualmachineinstancetypes, virtualmachineclusterinstancetypes } = choices;
  const { virtualmachinepreferences, virtualmachineclusterpreferences } = choices;
  const machinesOf = (plural: keyof ChoiceSources, key: ObjectKey): readonly ObjectKey[] =>
    machines.cache.byIndex(IndexName.choice, `${plural}/${key}`).map(keyOf);
  return [
    mappedSource(virtualmachineinstancetypes, ({ key }) => machinesOf('virtualmachineinstancetypes', key)),
    mappedSource(virtualmachineclusterinstancetypes, ({ key }) =>
      machinesOf('virtualmachineclusterinstancetypes', key),
    ),
    mappedSource(virtualmachinepreferences, ({ key }) => machinesOf('virtualmachinepreferences', key)),
    mappedSource(virtualmachineclusterpreferences, ({ key }) => machinesOf('virtualmachineclusterpreferences', key)),
  ];
}

/** A machine that goes chooses nothing any more. */
export function planOf(context: VirtControllerContext, vm: VirtualMachine): ChoicePlan {
  if (vm.metadata.deletionTimestamp !== undefined) return { kind: 'settled' };
  return planChoices(vm, findChoice(context, vm), context.settings);
}

/** A machine, and why what it has chosen cannot be had, where that is so. */
export interface ChosenMachine {
  readonly vm: VirtualMachine;
  readonly problem: Problem | undefined;
}

/** The machine as its instances are made from it. Most choose nothing, and are taken as they are. */
export async function templated(
  { vm, problem }: ChosenMachine,
  kept: KeptSpecs,
  settings: ExpansionSettings,
  signal: AbortSignal,
): Promise<EffectiveMachine> {
  if (problem !== undefined) return { vm, problem };
  const isPlain = vm.spec.instancetype === undefined && vm.spec.preference === undefined;
  if (isPlain || vm.metadata.deletionTimestamp !== undefined) return { vm };
  return await effectiveMachine(vm, kept, settings, signal);
}
