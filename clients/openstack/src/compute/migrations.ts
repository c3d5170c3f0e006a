import type { AnswerReader } from '../answer-reader.ts';
import type { Listing } from '../listing.ts';
import type { VersionSpan } from '../microversion.ts';
import type { CallOptions, ListOptions, ServiceClient } from '../service-client.ts';

/** A move of a server from one host to another, under way or over. */
export interface Migration {
  readonly id: number;
  readonly uuid: string;
  readonly serverId: string;
  /** queued, preparing, running, completed, done, failed, error, cancelled, …: the words differ by type. */
  readonly status: string;
  /** live-migration, migration, resize or evacuation. */
  readonly type: string | undefined;
  readonly sourceHost: string | undefined;
  /** Unknown until the scheduler has chosen. */
  readonly destinationHost: string | undefined;
  readonly sourceNode: string | undefined;
  readonly destinationNode: string | undefined;
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
}

/** How far a live migration is. Counters are unknown until the host has told them. */
export interface MigrationProgress extends Migration {
  readonly memoryTotalBytes: number | undefined;
  readonly memoryProcessedBytes: number | undefined;
  readonly memoryRemainingBytes: number | undefined;
  readonly diskTotalBytes: number | undefined;
  readonly diskProcessedBytes: number | undefined;
  readonly diskRemainingBytes: number | undefined;
}

export interface MigrationFilter {
  readonly serverId?: string | undefined;
  /** The host a server leaves. */
  readonly sourceHost?: string | undefined;
  /** The host it leaves or comes to. */
  readonly host?: string | undefined;
  readonly type?: 'live-migration' | 'migration' | 'resize' | 'evacuation' | undefined;
  readonly status?: string | undefined;
  readonly changesSince?: string | undefined;
}

/** Pages, UUIDs and changes-since came with 2.59. */
const HISTORY_VERSIONS: VersionSpan = { least: '2.59', most: '2.93' };
const PROGRESS_VERSIONS: VersionSpan = { least: '2.59', most: '2.93' };
/** One that still waits for its turn can be aborted from 2.65 on. */
const ABORT_VERSIONS: VersionSpan = { least: '2.65', most: '2.93' };
const FORCE_VERSIONS: VersionSpan = { least: '2.22', most: '2.93' };

/** Migrations: those under way, and the record of all. */
export class Migrations {
  readonly #client: ServiceClient;

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /** The record of migrations, the newest first. It says how a move has ended. */
  list(filter: MigrationFilter = {}, { pageSize, signal }: ListOptions = {}): Listing<Migration> {
    const query = {
      instance_uuid: filter.serverId,
      source_compute: filter.sourceHost,
      host: filter.host,
      migration_type: filter.type,
      status: filter.status,
      'changes-since': filter.changesSince,
      limit: pageSize,
    };
    return this.#client.list({
      path: '/os-migrations',
      query,
      versions: HISTORY_VERSIONS,
      signal,
      field: 'migrations',
      linksField: 'migrations_links',
      read: (item) => readMigration(item, item.text('instance_uuid')),
      idOf: ({ id }) => id,
    });
  }

  /** The live migrations of a server that are under way. */
  async inProgress(server: string, { signal }: CallOptions = {}): Promise<readonly MigrationProgress[]> {
    const path = '/servers/{server}/migrations';
    const answer = await this.#client.read({
      method: 'GET',
      path,
      ids: { server },
      versions: PROGRESS_VERSIONS,
      signal,
    });
    return answer.objects('migrations').map(readProgress);
  }

  /** One live migration that is under way; `not-found` as soon as it has ended. */
  async progress(server: string, migration: number, { signal }: CallOptions = {}): Promise<MigrationProgress> {
    const path = '/servers/{server}/migrations/{migration}';
    const answer = await this.#client.read({
      method: 'GET',
      path,
      ids: { server, migration },
      versions: PROGRESS_VERSIONS,
      signal,
    });
    return readProgress(answer.object('migration'));
  }

  /** Ends a live migration; the server stays where it was. */
  async abort(server: string, migration: number, { signal }: CallOptions = {}): Promise<void> {
    const path = '/servers/{server}/migrations/{migration}';
    await this.#client.act({
      method: 'DELETE',
      path,
      ids: { server, migration },
      versions: ABORT_VERSIONS,
      signal,
    });
  }

  /** Stops the guest for as long as it takes, so that a live migration gets to its end. */
  async forceComplete(server: string, migration: number, { signal }: CallOptions = {}): Promise<void> {
    const path = '/servers/{server}/migrations/{migration}/action';
    await this.#client.act({
      method: 'POST',
      path,
      ids: { server, migration },
      body: { force_complete: null },
      versions: FORCE_VERSIONS,
      signal,
    });
  }
}

function readMigration(item: AnswerReader, serverId: string): Migration {
  return {
    id: item.integer('id'),
    uuid: item.text('uuid'),
    serverId,
    status: item.text('status'),
    type: item.optionalText('migration_type'),
    sourceHost: item.optionalText('source_compute'),
    destinationHost: item.optionalText('dest_compute'),
    sourceNode: item.optionalText('source_node'),
    destinationNode: item.optionalText('dest_node'),
    createdAt: item.optionalTime('created_at'),
    updatedAt: item.optionalTime('updated_at'),
  };
}

function readProgress(item: AnswerReader): MigrationProgress {
  return {
    ...readMigration(item, item.text('server_uuid')),
    type: 'live-migration',
    memoryTotalBytes: item.optionalInteger('memory_total_bytes'),
    memoryProcessedBytes: item.optionalInteger('memory_processed_bytes'),
    memoryRemainingBytes: item.optionalInteger('memory_remaining_bytes'),
    diskTotalBytes: item.optionalInteger('disk_total_bytes'),
    diskProcessedBytes: item.optionalInteger('disk_processed_bytes'),
    diskRemainingBytes: item.optionalInteger('disk_remaining_bytes'),
  };
}
