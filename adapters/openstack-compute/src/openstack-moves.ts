import {
  ComputeError,
  isComputeError,
  type ComputeMove,
  type ComputeMoves,
  type HostIdentity,
  type MoveProgress,
} from '@smalt/compute';
import type { Migration, OpenStackClient } from '@smalt/openstack';

import type { HostRegister } from './host-register.ts';
import { moveProgress, newestMoves } from './read-move.ts';
import { isMoveOver, moveState } from './move-state.ts';
import type { OpenStackComputeSettings } from './openstack-compute-settings.ts';
import { asComputeErrors, unlessGone } from './to-compute-error.ts';

export interface OpenStackMovesOptions {
  readonly client: OpenStackClient;
  readonly register: HostRegister;
  readonly settings: Pick<OpenStackComputeSettings, 'blockMigration'>;
}

/** How many of the newest records to fetch at a time. */
const NEWEST = 100;

/**
 * Moves as Nova's migration records tell of them. Nova does not count it as a change that a record was made, so those of
 * moves that have not got anywhere yet are looked for among the newest.
 */
export class OpenStackMoves implements ComputeMoves {
  readonly #client: OpenStackClient;
  readonly #register: HostRegister;
  readonly #settings: OpenStackMovesOptions['settings'];

  constructor({ client, register, settings }: OpenStackMovesOptions) {
    this.#client = client;
    this.#register = register;
    this.#settings = settings;
  }

  async list(host: HostIdentity, since: Date, signal: AbortSignal): Promise<readonly ComputeMove[]> {
    const sourceHost = await this.#register.serviceHost(host, signal);
    const { migrations, services } = this.#client.compute;
    const [changed, begun] = await asComputeErrors('read', async () => {
      const records = await Promise.all([
        migrations.list({ sourceHost, changesSince: since.toISOString() }, { signal }).all(),
        takeUntil(migrations.list({ sourceHost }, { pageSize: NEWEST, signal }), (each) => beganBefore(each, since)),
      ]);
      // Nova leaves out the records of a cell that it cannot reach, without a word; of its service it says so.
      if (records.some(({ length }) => length === 0)) await services.findCompute(sourceHost, { signal });
      return records;
    });
    return newestMoves([...changed, ...begun].filter((each) => each.sourceHost === sourceHost));
  }

  async progress(move: ComputeMove, signal: AbortSignal): Promise<MoveProgress | undefined> {
    if (!move.isLive) return undefined;
    const { migrations } = this.#client.compute;
    const progress = await unlessGone('read', () => migrations.progress(move.instanceId, Number(move.id), { signal }));
    return progress && moveProgress(progress);
  }

  async startLive(instanceId: string, signal: AbortSignal): Promise<void> {
    const { blockMigration } = this.#settings;
    const call = () => this.#client.compute.actions.liveMigrate(instanceId, { blockMigration, signal });
    await asComputeErrors('write', call);
  }

  async startCold(instanceId: string, signal: AbortSignal): Promise<void> {
    await asComputeErrors('write', () => this.#client.compute.actions.coldMigrate(instanceId, { signal }));
  }

  async confirm(instanceId: string, signal: AbortSignal): Promise<void> {
    const { actions, servers } = this.#client.compute;
    try {
      await unlessGone('write', () => actions.confirmResize(instanceId, { signal }));
    } catch (error) {
      if (!isComputeError(error, 'refused', 'conflict')) throw error;
      const server = await unlessGone('read', () => servers.get(instanceId, { signal }));
      if (server?.status === 'VERIFY_RESIZE' && server.taskState === undefined) throw error;
    }
  }

  async abort(move: ComputeMove, signal: AbortSignal): Promise<void> {
    const { migrations } = this.#client.compute;
    const what = `move ${move.id} of instance ${move.instanceId}`;
    if (!move.isLive) throw new ComputeError('refused', `${what} is not live: Nova cannot stop it`);
    try {
      await unlessGone('write', () => migrations.abort(move.instanceId, Number(move.id), { signal }));
    } catch (error) {
      if (!isComputeError(error, 'refused', 'conflict')) throw error;
      const listing = migrations.list({ serverId: move.instanceId }, { signal });
      const record = await asComputeErrors('read', () => listing.find(({ id }) => String(id) === move.id));
      if (record === undefined || isMoveOver(moveState(record.status))) return;
      // Nova calls it a bad request to stop a move that it has not begun yet.
      throw new ComputeError('conflict', `${what} cannot be stopped yet: ${error.message}`, { cause: error });
    }
  }
}

function beganBefore({ createdAt }: Migration, since: Date): boolean {
  return createdAt !== undefined && Date.parse(createdAt) < Math.floor(since.getTime() / 1_000) * 1_000;
}

async function takeUntil<T>(items: AsyncIterable<T>, isEnough: (item: T) => boolean): Promise<readonly T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    if (isEnough(item)) break;
    taken.push(item);
  }
  return taken;
}
