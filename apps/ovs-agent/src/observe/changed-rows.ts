import type { RowChange, Rows } from '@smalt/ovs';

import type { SwitchTables } from './switch-tables.ts';

type Change = RowChange<SwitchTables>;

/** Whether a change may have to do with a bond: with a port of several interfaces, or with one of those. */
export function touchesBonds(changes: readonly Change[], cache: Rows<SwitchTables>): boolean {
  if (changes.every(({ table }) => table !== 'Port' && table !== 'Interface')) return false;
  const members = new Set(
    [...cache.Port.values()].flatMap(({ interfaces }) => (interfaces.size > 1 ? [...interfaces] : [])),
  );
  return changes.some((change) => {
    if (change.table === 'Interface') return change.kind !== 'deleted' && members.has(change.row._uuid);
    if (change.table !== 'Port') return false;
    const rows = change.kind === 'modified' ? [change.row, change.old] : [rowOf(change)];
    return rows.some(({ interfaces }) => interfaces.size > 1);
  });
}

/** Whether bridges or their ports came or went, so that flows did too. */
export function touchesBridges(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      change.table === 'Bridge' &&
      (change.kind !== 'modified' ||
        change.row.ports !== change.old.ports ||
        change.row.datapath_id !== change.old.datapath_id),
  );
}

/** Whether a bridge is new, or ovs-vswitchd has made it, perhaps anew: it answers now. */
export function hasNewBridge(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      change.table === 'Bridge' &&
      change.kind !== 'deleted' &&
      change.row.datapath_id !== undefined &&
      (change.kind === 'inserted' || change.row.datapath_id !== change.old.datapath_id),
  );
}

function rowOf<T>(
  change:
    | { readonly kind: 'inserted'; readonly row: T }
    | { readonly kind: 'deleted'; readonly old: T }
    | { readonly kind: 'modified'; readonly row: T },
): T {
  return change.kind === 'deleted' ? change.old : change.row;
}
