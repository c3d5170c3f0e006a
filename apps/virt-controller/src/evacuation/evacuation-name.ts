import { createHash } from 'node:crypto';

import type { VirtualMachineInstance, VirtualMachineInstanceMigration } from '@smalt/vm-api';

const DIGITS = 12;

/**
 * The name of the next evacuation of an instance. It depends on the last migration that has ended, so that one that is asked
 * for twice by mistake is refused, and a new attempt is not.
 */
export function evacuationName(
  { metadata }: VirtualMachineInstance,
  migrations: readonly VirtualMachineInstanceMigration[],
): string {
  const [last] = migrations.toSorted((left, right) =>
    (right.metadata.creationTimestamp ?? '').localeCompare(left.metadata.creationTimestamp ?? ''),
  );
  const words = [metadata.uid ?? '', last?.metadata.uid ?? ''];
  return `kubevirt-evacuation-${createHash('sha256').update(words.join('\u0000')).digest('hex').slice(0, DIGITS)}`;
}
