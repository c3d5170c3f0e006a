import { isJsonArray, type JsonValue } from '@smalt/json';

import { OvsError } from '../ovs-error.ts';
import { MonitorHandle } from './monitor-handle.ts';
import type { MonitorOptions, Ovsdb, OvsdbCallOptions, OvsdbMonitor, OvsdbState, SelectRequest } from './ovsdb.ts';
import type { FollowedTables } from './rows/followed-tables.ts';
import { readRow } from './rows/row-changes.ts';
import { planTables } from './rows/table-plan.ts';
import type { OvsdbSession } from './session/ovsdb-session.ts';
import { decodeAtom, shown } from './values/atom-codec.ts';
import type { ColumnKinds, Row, TableKinds } from './values/column-kind.ts';
import { encodeOperation } from './values/encode-value.ts';
import type { OvsdbOperation, OvsdbResults } from './values/operation.ts';
import type { OvsdbSchema } from './values/ovsdb-schema.ts';
import { readResults } from './values/read-results.ts';
import { readSchema } from './values/read-schema.ts';

/** A session as its owner sees it. */
export class OvsdbHandle<Tables extends TableKinds> extends MonitorHandle<Tables> implements Ovsdb<Tables> {
  readonly #session: OvsdbSession;
  readonly #database: string;

  constructor(session: OvsdbSession, followed: FollowedTables, database: string) {
    super(session, followed);
    this.#session = session;
    this.#database = database;
  }

  get state(): OvsdbState {
    return this.#session.state;
  }

  get schema(): OvsdbSchema | undefined {
    return this.#session.schema;
  }

  get remote(): string | undefined {
    return this.#session.remote;
  }

  monitor<const More extends TableKinds>(
    tables: More,
    options: MonitorOptions<More> = {},
  ): OvsdbMonitor<More> & AsyncDisposable {
    return new MonitorHandle(this.#session, this.#session.follow({ tables, where: options.where ?? {} }));
  }

  async transact<const Operations extends readonly OvsdbOperation[]>(
    operations: Operations,
    options: OvsdbCallOptions = {},
  ): Promise<OvsdbResults<Operations>> {
    const params = [this.#database, ...operations.map(encodeOperation)];
    const results = readResults(operations, await this.#session.call('transact', params, options));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each was read as what its operation gives
    return results as unknown as OvsdbResults<Operations>;
  }

  async select<const Columns extends ColumnKinds>(
    request: SelectRequest<Columns>,
    options: OvsdbCallOptions = {},
  ): Promise<readonly Row<Columns>[]> {
    const { table, columns, where = [] } = request;
    // Asked first, so that there is a schema to read the rows by.
    const schema = this.#session.schema ?? (await this.getSchema(this.#database, options));
    const { tables, missing } = planTables({ [table]: columns }, schema);
    const plan = tables.get(table);
    if (plan === undefined || missing.length > 0) {
      throw new OvsError(
        'unsupported',
        `the server's ${this.#database} lacks ${missing.join(', ')}, or has another type for it`,
      );
    }
    const names = ['_uuid', ...plan.columns.keys()];
    const [{ rows }] = await this.transact([{ op: 'select', table, where, columns: names }], options);
    const read = rows.map((json) =>
      readRow(String(decodeAtom('reference', json['_uuid'] ?? null)), undefined, plan, json),
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows are read by the kinds these types are made of
    return read as unknown as readonly Row<Columns>[];
  }

  async listDatabases(options: OvsdbCallOptions = {}): Promise<readonly string[]> {
    return readNames(await this.#session.call('list_dbs', [], options));
  }

  async getSchema(database: string, options: OvsdbCallOptions = {}): Promise<OvsdbSchema> {
    return readSchema(await this.#session.call('get_schema', [database], options));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.#session[Symbol.asyncDispose]();
  }
}

function readNames(json: JsonValue): readonly string[] {
  if (isJsonArray(json) && json.every((name) => typeof name === 'string')) return json;
  throw new OvsError('protocol', `list_dbs answered ${shown(json)}`);
}
