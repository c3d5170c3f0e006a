import {
  ComputeError,
  isComputeError,
  type ComputeMove,
  type ComputeMoves,
  type HostIdentity,
  type MoveProgress,
} from '@smalt/compute';
import { isFinalPhase } from '@smalt/vm-api';

import { findInstance } from '../instances/found-instance.ts';
import type { InstanceIds } from '../instances/instance-ids.ts';
import { parseKey, printKey } from '../instances/instance-key.ts';
import { ObjectName } from '../object-names.ts';
import { RelocationNotes } from '../relocation-notes.ts';
import { askMachine } from '../subresources.ts';
import { asComputeErrors, unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';
import { instanceKeyOf, newestMoves, readColdMove, readLiveMove } from './read-move.ts';

export interface VmMovesOptions {
  readonly api: VmApiAccess;
  readonly ids: InstanceIds;
  readonly now: () => number;
  readonly newId: () => string;
}

/** Live moves are VirtualMachineInstanceMigrations; a cold one is a restart, which is noted on the machine. */
export class VmMoves implements ComputeMoves {
  readonly #options: VmMovesOptions;
  readonly #notes: RelocationNotes;

  constructor(options: VmMovesOptions) {
    this.#options = options;
    const { coldMoveAnnotation: annotation, coldMovedFromLabel: label } = ObjectName;
    this.#notes = new RelocationNotes({ api: options.api, annotation, label });
  }

  async list({ serviceId }: HostIdentity, since: Date, signal: AbortSignal): Promise<readonly ComputeMove[]> {
    const { api } = this.#options;
    const [migrations, instances, noted] = await Promise.all([
      api.all(api.migrations, { signal }),
      api.all(api.instances, { signal }),
      this.#notes.from(serviceId, signal),
    ]);
    const byKey = new Map(instances.map((vmi) => [printKey(vmi.metadata), vmi]));
    const live = migrations.map((migration) => readLiveMove(migration, byKey.get(instanceKeyOf(migration))));
    return newestMoves(
      [...live, ...noted.map(readColdMove)].filter(({ sourceName }) => sourceName === serviceId),
      since,
    );
  }

  /** How much was sent stands in no object of the API. */
  async progress(_move: ComputeMove, _signal: AbortSignal): Promise<MoveProgress | undefined> {
    return undefined;
  }

  async startLive(instanceId: string, signal: AbortSignal): Promise<void> {
    const { api } = this.#options;
    const { name, namespace } = await this.#options.ids.require(instanceId, signal);
    const draft = { metadata: { namespace, generateName: 'smalt-move-' }, spec: { vmiName: name } };
    await asComputeErrors('write', () => api.migrations.create(draft, { signal }));
  }

  async startCold(instanceId: string, signal: AbortSignal): Promise<void> {
    const { api, now, newId } = this.#options;
    const found = await findInstance(this.#options, instanceId, signal);
    if (found === undefined) throw new ComputeError('not-found', `there is no instance ${instanceId}`);
    const { key, vmi, machine } = found;
    const source = vmi?.status?.nodeName;
    if (vmi === undefined || isFinalPhase(vmi.status?.phase) || source === undefined || source === '') {
      throw new ComputeError('conflict', `${instanceId} is on no host`);
    }
    if (machine === undefined) {
      throw new ComputeError('refused', `${instanceId} belongs to no VirtualMachine: nobody starts it elsewhere`);
    }
    const relocation = {
      id: newId(),
      source,
      instanceUid: vmi.metadata.uid ?? '',
      startedAt: new Date(now()).toISOString(),
    };
    await this.#notes.add(machine, relocation, signal);
    try {
      await askMachine(api, key, 'restart', signal);
    } catch (error) {
      if (isComputeError(error, 'conflict', 'refused', 'not-found')) {
        await this.#notes.fail(machine, { ...relocation, failure: error.message }, signal);
      }
      throw error;
    }
  }

  /** Nothing waits for that here. */
  async confirm(_instanceId: string, _signal: AbortSignal): Promise<void> {}

  async abort({ id, isLive, instanceId }: ComputeMove, signal: AbortSignal): Promise<void> {
    const { api } = this.#options;
    if (!isLive) throw new ComputeError('refused', `move ${id} of ${instanceId} is a restart, which cannot be stopped`);
    const { name, namespace } = parseKey(id);
    await unlessGone('write', () => api.migrations.delete(name, { namespace, signal }));
  }
}
