import { apiVersionOf } from '@smalt/kubernetes';
import type { VirtualMachine, VirtualMachineInstancetypeSpec, VirtualMachinePreferenceSpec } from '@smalt/vm-api';

import type { AnyInstancetype, AnyPreference, ChosenPart, Referenced } from './matcher.ts';

const LABELS = 'instancetype.kubevirt.io/object-';

/** A ControllerRevision that keeps an instance type or a preference as it was when a machine chose it. */
export interface KeptRevision {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The revision that keeps an object for a machine. The same object gives the same name, a changed one another. */
export function revisionOf(
  { metadata: machine }: VirtualMachine,
  { kind }: Referenced,
  { metadata, spec }: AnyInstancetype | AnyPreference,
): KeptRevision {
  const { name, uid = '', generation = 0, namespace, creationTimestamp, resourceVersion } = metadata;
  const kept = { name, uid, generation, namespace, creationTimestamp, resourceVersion };
  return {
    name: `${machine.name}-${name}-${kind.version}-${uid}-${generation}`,
    labels: {
      [`${LABELS}generation`]: String(generation),
      [`${LABELS}kind`]: kind.kind,
      [`${LABELS}name`]: name,
      [`${LABELS}uid`]: uid,
      [`${LABELS}version`]: kind.version,
    },
    data: { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: said(kept), spec },
  };
}

/** Whether a kept revision is of an object of that name. Those without the label are of before, and are taken. */
export function isRevisionOf(labels: Readonly<Record<string, string>> | undefined, name: string): boolean {
  const label = labels?.[`${LABELS}name`];
  return label === undefined || label === name;
}

/** The specs of what a machine can choose. */
export interface SpecByPart {
  readonly instancetype: VirtualMachineInstancetypeSpec;
  readonly preference: VirtualMachinePreferenceSpec;
}

/** The spec that a revision keeps; undefined when it keeps something else. */
export function specInRevision<Part extends ChosenPart>(part: Part, data: unknown): SpecByPart[Part] | undefined {
  if (typeof data !== 'object' || data === null || !('spec' in data) || !('kind' in data)) return undefined;
  const { spec, kind } = data;
  const isMeant = typeof kind === 'string' && kind.toLowerCase().endsWith(part);
  if (!isMeant || typeof spec !== 'object' || spec === null) return undefined;
  if (part === 'instancetype' && !('cpu' in spec && 'memory' in spec)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the control plane writes revisions, of checked objects
  return spec as SpecByPart[Part];
}

function said(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
