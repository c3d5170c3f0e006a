import { isQuantity, parseQuantity, quantitySign } from '@smalt/quantity';
import type { MigrationPolicy, MigrationPolicySpec } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { isGateOpen } from '../../feature-gates.ts';

const GATES = ['MigrationStallDetection', 'MigrationDowntimeTuning'] as const;

/** Every reason why a migration policy cannot be written. `old` is what is there already, undefined for a new one. */
export function validateMigrationPolicy(
  { spec }: MigrationPolicy,
  old: MigrationPolicy | undefined,
  settings: ClusterSettings,
): readonly Cause[] {
  return [
    ...validateNumbers(spec),
    ...validateDowntime(spec, old?.spec, settings),
    ...validateExperimental(spec.experimental),
  ];
}

function validateNumbers({
  completionTimeoutPerGiB = 0,
  bandwidthPerMigration,
}: MigrationPolicySpec): readonly Cause[] {
  const causes: Cause[] = [];
  if (completionTimeoutPerGiB < 0) causes.push(invalid('spec.completionTimeoutPerGiB', 'must not be negative'));
  const bandwidth = String(bandwidthPerMigration ?? 0);
  if (!isQuantity(bandwidth)) {
    const advice = 'Use a number with an optional suffix, such as 64Mi.';
    causes.push(invalid('spec.bandwidthPerMigration', `'${bandwidth}' cannot be read as an amount`, advice));
  } else if (quantitySign(parseQuantity(bandwidth)) < 0) {
    causes.push(invalid('spec.bandwidthPerMigration', 'must not be negative'));
  }
  return causes;
}

/** What was set while a gate was open may stay. */
function validateDowntime(
  { maxDowntimeMs }: MigrationPolicySpec,
  old: MigrationPolicySpec | undefined,
  settings: ClusterSettings,
): readonly Cause[] {
  if (maxDowntimeMs === undefined || maxDowntimeMs === old?.maxDowntimeMs) return [];
  if (GATES.some((gate) => isGateOpen(settings, gate))) return [];
  const gates = GATES.join(' or ');
  const message = `maxDowntimeMs cannot be modified without enabling the ${gates} feature gate`;
  const advice = `Ask an administrator to add ${gates} to the feature gates, or leave the field out.`;
  return [invalid('spec.maxDowntimeMs', message, advice)];
}

/** No node does any of these: a policy that seems to be in force and is not would be worse than none. */
function validateExperimental(experimental: MigrationPolicySpec['experimental']): readonly Cause[] {
  const names = Object.entries(experimental ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return names.map((name) =>
    invalid(`spec.experimental.${name}`, `experimental.${name} is not done by any node yet`, 'Leave it out.'),
  );
}
