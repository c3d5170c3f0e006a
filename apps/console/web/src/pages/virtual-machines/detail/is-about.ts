import type { EventObject } from '../../../api/core-kinds.ts';

/** Whether an event is about a machine, or about its migrations and launchers: their names begin with that of the machine. */
export function isAbout({ involvedObject: { kind = '', name = '' } }: EventObject, machine: string): boolean {
  if (name === machine) return kind.startsWith('VirtualMachine');
  if (kind === 'Pod') return name.startsWith(`virt-launcher-${machine}-`);
  return kind === 'VirtualMachineInstanceMigration' && name.startsWith(`${machine}-`);
}
