import type { JsonValue } from '@smalt/json';

import type { OvsWarning } from '../../connection/ovs-warning.ts';
import { isOvsError, OvsError } from '../../ovs-error.ts';
import { FollowedTables, type MonitorUpdate } from '../rows/followed-tables.ts';
import type { CellRow } from '../rows/row-changes.ts';
import { judgeMember, type MemberView } from './judge-member.ts';
import type { OvsdbLink } from './ovsdb-link.ts';

const SERVER_DATABASE = '_Server';

/** Watches what a server says about its part in a cluster, and ends links to one that will not do. */
export class MemberWatch {
  readonly #database: string;
  readonly #leaderOnly: boolean;
  readonly #server: FollowedTables;

  constructor(database: string, leaderOnly: boolean, onWarning: (warning: OvsWarning) => void) {
    this.#database = database;
    this.#leaderOnly = leaderOnly;
    const tables = { Database: { name: 'string', model: 'string', connected: 'boolean', leader: 'boolean' } } as const;
    this.#server = new FollowedTables({ id: 'smalt-server', database: SERVER_DATABASE, tables, where: {}, onWarning });
  }

  isAbout(id: JsonValue): boolean {
    return id === this.#server.id;
  }

  interrupt(): void {
    this.#server.interrupt();
  }

  /** Throws where this server will not do. A server too old to say anything about itself will. */
  async start(link: OvsdbLink, timeoutMs: number): Promise<void> {
    try {
      await this.#server.start(link.connection, await link.readSchema(SERVER_DATABASE), timeoutMs);
    } catch (error) {
      if (isOvsError(error, 'refused')) return;
      throw error;
    }
    const objection = this.#objection(link);
    if (objection !== undefined) throw objection;
  }

  update(link: OvsdbLink, update: MonitorUpdate): void {
    this.#server.update(update);
    const objection = this.#server.isCurrent ? this.#objection(link) : undefined;
    if (objection !== undefined) link.connection.close(objection);
  }

  #objection(link: OvsdbLink): OvsError | undefined {
    const rows = this.#server.cache.rows.get('Database')?.values() ?? [];
    const row = [...rows].find(({ name }) => name === this.#database);
    const why = judgeMember(row && memberView(row), this.#leaderOnly);
    return why === undefined ? undefined : new OvsError('unreachable', `${link.remote} will not do: ${why}`);
  }
}

function memberView(row: CellRow): MemberView {
  const model = row['model'];
  return {
    model: typeof model === 'string' ? model : '',
    connected: row['connected'] === true,
    leader: row['leader'] === true,
  };
}
