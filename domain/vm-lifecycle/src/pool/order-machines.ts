import { labelSelectorFrom, matchesLabels } from '@smalt/kubernetes';
import {
  PoolSortPolicy,
  type NodeSelectorRequirement,
  type VirtualMachine,
  type VirtualMachinePoolSelectionPolicy,
} from '@smalt/vm-api';

import { poolIndex } from './pool-machine.ts';

type Selectors = NonNullable<VirtualMachinePoolSelectionPolicy['selectors']>;
type Labels = Readonly<Record<string, string>>;

/** Machines in the order in which they are to go, the first first. `random` gives numbers from 0 to 1. */
export function orderMachines(
  machines: readonly VirtualMachine[],
  policy: VirtualMachinePoolSelectionPolicy | undefined,
  random: () => number,
): readonly VirtualMachine[] {
  const { sortPolicy = PoolSortPolicy.random } = policy ?? {};
  switch (sortPolicy) {
    case PoolSortPolicy.ascending:
      return machines.toSorted((left, right) => indexOf(left) - indexOf(right));
    case PoolSortPolicy.descending:
      return machines.toSorted((left, right) => indexOf(right) - indexOf(left));
    case PoolSortPolicy.newest:
      return machines.toSorted(
        (left, right) => born(right).localeCompare(born(left)) || indexOf(right) - indexOf(left),
      );
    case PoolSortPolicy.oldest:
      return machines.toSorted(
        (left, right) => born(left).localeCompare(born(right)) || indexOf(left) - indexOf(right),
      );
    case PoolSortPolicy.random:
      return shuffled(machines, random);
  }
}

/** The machines that come into question at all. Throws a KubernetesError for selectors that make no sense. */
export function selectMachines(
  machines: readonly VirtualMachine[],
  policy: VirtualMachinePoolSelectionPolicy | undefined,
): readonly VirtualMachine[] {
  const selectors = policy?.selectors;
  return selectors === undefined ? machines : machines.filter((machine) => isSelected(machine, selectors));
}

function isSelected({ spec }: VirtualMachine, selectors: Selectors): boolean {
  const { labelSelector, nodeSelectorRequirementMatcher = [] } = selectors;
  const { metadata, spec: instance } = spec.template;
  const hasLabels = labelSelector === undefined || matchesLabels(labelSelectorFrom(labelSelector), metadata?.labels);
  const nodes = instance?.nodeSelector ?? {};
  return hasLabels && nodeSelectorRequirementMatcher.every((requirement) => meets(nodes, requirement));
}

function meets(labels: Labels, { key, operator, values = [] }: NodeSelectorRequirement): boolean {
  if (operator !== 'Gt' && operator !== 'Lt') {
    const expression = { key, operator, values: [...values] };
    return matchesLabels(labelSelectorFrom({ matchExpressions: [expression] }), labels);
  }
  const [has, wanted] = [Number(labels[key]), Number(values[0])];
  return operator === 'Gt' ? has > wanted : has < wanted;
}

function indexOf(machine: VirtualMachine): number {
  return poolIndex(machine) ?? 0;
}

function born({ metadata }: VirtualMachine): string {
  return metadata.creationTimestamp ?? '';
}

function shuffled(machines: readonly VirtualMachine[], random: () => number): readonly VirtualMachine[] {
  return machines
    .map((machine) => ({ machine, at: random() }))
    .toSorted((left, right) => left.at - right.at)
    .map(({ machine }) => machine);
}
