import { WellKnownName } from '@smalt/vm-api';

/** Labels that only the control plane sets. */
const RESERVED_LABELS: readonly string[] = [
  WellKnownName.createdByLabel,
  WellKnownName.migrationJobLabel,
  WellKnownName.nodeNameLabel,
  WellKnownName.migrationTargetNodeNameLabel,
  WellKnownName.schedulableNodeLabel,
  'kubevirt.io/install-strategy',
];

/** The reserved labels among these, with their values, in a fixed order. */
export function reservedLabels(
  labels: Readonly<Record<string, string>> | undefined,
): readonly (readonly [string, string])[] {
  return RESERVED_LABELS.flatMap((name) => {
    const value = labels !== undefined && Object.hasOwn(labels, name) ? labels[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
}
