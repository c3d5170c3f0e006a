import type { JsonObject } from '@smalt/json';
import type { KindReference } from '@smalt/kubernetes';
import {
  virtualMachineClusterInstancetypeKind,
  virtualMachineClusterPreferenceKind,
  virtualMachineInstancetypeKind,
  virtualMachinePreferenceKind,
  type InstancetypeMatcher,
  type PreferenceMatcher,
  type VirtualMachineClusterInstancetype,
  type VirtualMachineClusterPreference,
  type VirtualMachineInstancetype,
  type VirtualMachinePreference,
} from '@smalt/vm-api';

/** The two things that a machine can choose, by their fields in its spec. */
export type ChosenPart = 'instancetype' | 'preference';

export type AnyInstancetype = VirtualMachineInstancetype | VirtualMachineClusterInstancetype;
export type AnyPreference = VirtualMachinePreference | VirtualMachineClusterPreference;

/** What a machine names: an object of some kind. */
export interface Referenced {
  readonly kind: KindReference<AnyInstancetype | AnyPreference>;
  readonly name: string;
}

const NAMESPACED = { instancetype: virtualMachineInstancetypeKind, preference: virtualMachinePreferenceKind } as const;
const CLUSTER = {
  instancetype: virtualMachineClusterInstancetypeKind,
  preference: virtualMachineClusterPreferenceKind,
} as const;

/**
 * What a machine names as its instance type or preference: of the cluster, unless it says otherwise. A kind can be
 * written as in objects or as in paths. Undefined where no such kind exists, or no name is given.
 */
export function referencedBy(
  part: ChosenPart,
  matcher: InstancetypeMatcher | PreferenceMatcher,
): Referenced | undefined {
  const { name = '', kind = '' } = matcher;
  const word = kind.toLowerCase();
  if (name === '') return undefined;
  if (word === '' || isCalled(CLUSTER[part], word)) return { kind: CLUSTER[part], name };
  return isCalled(NAMESPACED[part], word) ? { kind: NAMESPACED[part], name } : undefined;
}

/** The annotation by which an instance tells what its machine had chosen. */
export function annotationOf(part: ChosenPart, { kind }: Referenced): string {
  return kind.isNamespaced ? `kubevirt.io/${part}-name` : `kubevirt.io/cluster-${part}-name`;
}

/** Why nothing is found, in words for people. */
export function unknownKindMessage(part: ChosenPart, { kind = '' }: InstancetypeMatcher): string {
  const known = [NAMESPACED[part].kind, CLUSTER[part].kind].join(' or ');
  return `spec.${part}.kind: there is no kind ${kind} of this sort: use ${known}`;
}

/** A matcher as the JSON that it is. */
export function matcherJson(matcher: InstancetypeMatcher | PreferenceMatcher): JsonObject {
  const said = Object.entries(matcher).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(said);
}

function isCalled({ kind, plural }: KindReference, word: string): boolean {
  return word === kind.toLowerCase() || word === plural;
}
