import type { Cause } from '@smalt/vm-admission';
import type { VirtualMachineInstancetypeSpec } from '@smalt/vm-api';

const PERCENT = 'spec.memory.overcommitPercent';
const DEPRECATED = 'launchSecurity is deprecated and will be removed in a future release. Use preference instead.';

/** Every reason why an instance type cannot be written. */
export function validateInstancetype({ memory }: VirtualMachineInstancetypeSpec): readonly Cause[] {
  const { overcommitPercent = 0, hugepages } = memory;
  const causes: Cause[] = [];
  if (overcommitPercent < 0 || overcommitPercent > 100) {
    causes.push(invalid(PERCENT, `${PERCENT} '${overcommitPercent}': must be in range between 0 and 100.`));
  }
  if (overcommitPercent !== 0 && hugepages !== undefined) {
    const message = `${PERCENT} and spec.memory.hugepages should not be requested together.`;
    causes.push(invalid(PERCENT, message, 'Huge pages cannot be overcommitted: leave one of them out.'));
  }
  return causes;
}

/** What people should know about an instance type that is taken. */
export function instancetypeWarnings({ launchSecurity }: VirtualMachineInstancetypeSpec): readonly string[] {
  return launchSecurity === undefined ? [] : [DEPRECATED];
}

function invalid(field: string, message: string, advice?: string): Cause {
  return { type: 'FieldValueInvalid', field, message, ...(advice === undefined ? {} : { advice }) };
}
