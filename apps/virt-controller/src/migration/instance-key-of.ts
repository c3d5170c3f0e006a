import type { ObjectKey } from '@smalt/controller-runtime';
import type { VirtualMachineInstanceMigration } from '@smalt/vm-api';

/** The key of the instance that a migration moves. */
export function instanceKeyOf({ metadata, spec }: VirtualMachineInstanceMigration): ObjectKey {
  return `${metadata.namespace ?? ''}/${spec.vmiName ?? ''}`;
}
