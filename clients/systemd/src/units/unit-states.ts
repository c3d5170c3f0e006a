import type { DBusValue } from '@smalt/dbus';

import type { Bus } from '../bus/bus.ts';
import { SystemdError } from '../systemd-error.ts';
import type { UnitState } from '../systemd.ts';
import { MANAGER } from './manager.ts';
import { checkUnitName } from './unit-name.ts';

/** The states of units, in the order asked for, by one call. */
export async function unitStates(
  bus: Bus,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly UnitState[]> {
  for (const name of names) checkUnitName(name);
  if (names.length === 0) return [];
  const call = { ...MANAGER, member: 'ListUnitsByNames', signature: 'as', body: [names] };
  const { body: [list] = [] } = await bus.call(call, signal);
  return readUnitStates(names, list);
}

/** What `ListUnitsByNames` answered. An alias is told under its first name there, so the place in the list counts. */
export function readUnitStates(names: readonly string[], list: DBusValue | undefined): readonly UnitState[] {
  if (!Array.isArray(list) || list.length !== names.length) {
    throw new SystemdError('bad-answer', `systemd was asked for ${names.length} units and told of another number`);
  }
  return names.map((name, index) => readUnitState(name, list[index]));
}

function readUnitState(name: string, row: unknown): UnitState {
  const [, , loadState, activeState, subState] = Array.isArray(row) ? row : [];
  if (typeof loadState !== 'string' || typeof activeState !== 'string' || typeof subState !== 'string') {
    throw new SystemdError('bad-answer', `systemd told of ${name} what is no state of a unit`);
  }
  return { name, activeState, subState, loadState };
}
