import type { ObjectChange } from '@smalt/controller-runtime';
import { HypervisorConditionType, type Hypervisor, type HypervisorStatus } from '@smalt/fleet-api';

import { isChangedBesideStatus } from './slim-hypervisor.ts';

/** What one controller says of a hypervisor. */
export interface OwnPart {
  readonly conditionTypes: readonly string[];
  readonly fieldNames: readonly string[];
}

/**
 * Whether a change gives a controller that has failed a reason to try at once. What it said itself does not, nor do other
 * words for the same, nor the summary of it all: they may change with each failure.
 */
export function isMoreThanWords({ old, current }: ObjectChange<Hypervisor>, own: OwnPart): boolean {
  if (old === undefined || current === undefined || isChangedBesideStatus(old, current)) return true;
  if (old.status === current.status) return false;
  const quiet = new Set<string>([...own.fieldNames, 'conditions', 'lifecycleState']);
  return (
    haveFieldsChanged(old.status, current.status, quiet) ||
    factsOf(old.status, own).join() !== factsOf(current.status, own).join()
  );
}

function haveFieldsChanged(
  old: HypervisorStatus | undefined,
  current: HypervisorStatus | undefined,
  quiet: ReadonlySet<string>,
): boolean {
  const before = new Map<string, unknown>(Object.entries(old ?? {}));
  const now = new Map<string, unknown>(Object.entries(current ?? {}));
  return [...before.keys(), ...now.keys()].some((name) => !quiet.has(name) && before.get(name) !== now.get(name));
}

function factsOf(status: HypervisorStatus | undefined, { conditionTypes }: OwnPart): readonly string[] {
  const others = (status?.conditions ?? []).filter(
    ({ type }) => type !== HypervisorConditionType.ready && !conditionTypes.includes(type),
  );
  return others.map(({ type, status: is, reason }) => `${type}=${is}/${reason}`).toSorted();
}
