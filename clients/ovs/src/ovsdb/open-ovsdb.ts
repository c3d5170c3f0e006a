import type { Ovsdb } from './ovsdb.ts';
import { OvsdbHandle } from './ovsdb-handle.ts';
import type { OvsdbOptions } from './ovsdb-options.ts';
import { OvsdbSession } from './session/ovsdb-session.ts';
import { ovsdbSettings } from './session/ovsdb-settings.ts';
import type { TableKinds } from './values/column-kind.ts';

/** Follows tables of a database. It returns at once and connects by itself, again and again, until it is disposed of. */
export function openOvsdb<const Tables extends TableKinds>(
  options: OvsdbOptions<Tables>,
): Ovsdb<Tables> & AsyncDisposable {
  const session = new OvsdbSession(ovsdbSettings(options));
  const followed = session.follow({ tables: options.tables, where: options.where ?? {} });
  session.start();
  return new OvsdbHandle<Tables>(session, followed, options.database);
}
