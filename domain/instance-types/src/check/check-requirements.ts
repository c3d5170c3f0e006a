import { compareQuantities, isQuantity, parseQuantity } from '@smalt/quantity';
import type { Cause } from '@smalt/vm-admission';
import type { CPU, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ChosenSpecs } from '../instance-template.ts';
import { preferredTopology, SpreadAcross, spreadOf } from '../topology.ts';

/** Why a machine is less than its preference requires. `spec` is its template with everything filled in. */
export function checkRequirements(chosen: ChosenSpecs, spec: VirtualMachineInstanceSpec): readonly Cause[] {
  const { requirements } = chosen.preference ?? {};
  if (requirements === undefined) return [];
  return [
    ...(requirements.cpu === undefined ? [] : checkProcessors(chosen, spec, requirements.cpu.guest)),
    ...(requirements.memory === undefined ? [] : checkMemory(chosen, spec, requirements.memory.guest)),
    ...(requirements.architecture === undefined ? [] : checkArchitecture(spec, requirements.architecture)),
  ];
}

function checkProcessors(
  { instancetype, preference }: ChosenSpecs,
  { domain }: VirtualMachineInstanceSpec,
  least: number,
): readonly Cause[] {
  if (instancetype !== undefined) {
    const { guest } = instancetype.cpu;
    const message = `insufficient CPU resources of ${guest} vCPU provided by instance type, preference requires ${least} vCPU`;
    return guest < least ? [unmet('spec.instancetype', message)] : [];
  }
  const { cpu } = domain;
  if (cpu === undefined) {
    return [unmet(cpuField(''), `no CPU resources provided by VirtualMachine, preference requires ${least} vCPU`)];
  }
  const { parts, words } = countedParts(preference);
  const found = parts.reduce((product, part) => product * (cpu[part] ?? 0), 1);
  if (found >= least) return [];
  const message = `insufficient CPU resources of ${found} vCPU provided by VirtualMachine, preference requires ${least} vCPU provided as ${words}`;
  return [unmet(parts.map((part) => cpuField(`.${part}`)).join(', '), message)];
}

type Part = keyof Pick<CPU, 'sockets' | 'cores' | 'threads'>;

interface CountedParts {
  readonly parts: readonly Part[];
  readonly words: string;
}

/** What counts as processors of the guest: that which the preference would have made. */
function countedParts(preference: ChosenSpecs['preference']): CountedParts {
  const topology = preferredTopology(preference);
  switch (topology) {
    case 'sockets':
    case 'cores':
    case 'threads':
      return { parts: [topology], words: topology };
    case 'any':
      return { parts: ['cores', 'sockets', 'threads'], words: 'cores, sockets and threads' };
    case 'spread': {
      const { across } = spreadOf(preference);
      return { parts: spreadParts(across), words: across };
    }
  }
}

function spreadParts(across: string): readonly Part[] {
  if (across === SpreadAcross.coresThreads) return ['cores', 'threads'];
  return across === SpreadAcross.socketsCoresThreads ? ['sockets', 'cores', 'threads'] : ['sockets', 'cores'];
}

function checkMemory(
  { instancetype }: ChosenSpecs,
  { domain }: VirtualMachineInstanceSpec,
  least: number | string,
): readonly Cause[] {
  const found = domain.memory?.guest ?? instancetype?.memory.guest ?? '0Mi';
  if (!isLess(found, least)) return [];
  const [field, provider] =
    instancetype === undefined
      ? ['spec.template.spec.domain.memory', 'VirtualMachine']
      : ['spec.instancetype', 'instance type'];
  const message = `insufficient Memory resources of ${found} provided by ${provider}, preference requires ${least}`;
  return [unmet(field, message)];
}

function checkArchitecture({ architecture = '' }: VirtualMachineInstanceSpec, wanted: string): readonly Cause[] {
  if (architecture === wanted) return [];
  const message = `preference requires architecture ${wanted} but ${architecture} is being requested`;
  return [unmet('spec.template.spec.architecture', message)];
}

/** Amounts that cannot be read are refused elsewhere. */
function isLess(found: number | string, least: number | string): boolean {
  const texts = [String(found), String(least)] as const;
  if (!texts.every((text) => isQuantity(text))) return false;
  return compareQuantities(parseQuantity(texts[0]), parseQuantity(texts[1])) < 0;
}

function cpuField(part: string): string {
  return `spec.template.spec.domain.cpu${part}`;
}

function unmet(field: string, message: string): Cause {
  const advice = 'Give the machine more, or choose another preference.';
  return { type: 'FieldValueNotFound', field, message: `failure checking preference requirements: ${message}`, advice };
}
