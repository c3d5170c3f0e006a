import type { Informer, ObjectReader } from '@smalt/controller-runtime';
import type { KubernetesObject } from '@smalt/kubernetes';
import {
  MigrationPhase,
  VirtualMachineInstancePhase,
  WellKnownName,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import { chooseMigrations, type ObservedPod, type QueueFacts } from '@smalt/vm-lifecycle';

import { IndexName, OPEN } from '../frame/index-names.ts';
import { instanceKeyOf } from './instance-key-of.ts';

interface Watched<T extends KubernetesObject> extends Pick<Informer<T>, 'onChange'> {
  readonly cache: Pick<ObjectReader<T>, 'get' | 'byIndex'>;
}

export interface TurnsContext {
  readonly migrations: Watched<VirtualMachineInstanceMigration>;
  readonly instances: Watched<VirtualMachineInstance>;
  readonly pods: Watched<ObservedPod>;
  readonly limits: QueueFacts['limits'];
}

const WAITING: readonly string[] = [MigrationPhase.unset, MigrationPhase.pending];

/** Whose turn it is to begin. It is counted once after a change that matters, however many ask. */
export class MigrationTurns {
  readonly #context: TurnsContext;
  #chosen: ReadonlySet<string> | undefined;

  constructor(context: TurnsContext) {
    this.#context = context;
    const { migrations, instances, pods } = context;
    const forget = (): void => void (this.#chosen = undefined);
    migrations.onChange(forget);
    pods.onChange(({ old, current }) => {
      if ((current ?? old)?.metadata.labels?.[WellKnownName.migrationJobLabel] !== undefined) forget();
    });
    instances.onChange(({ key }) => {
      if (migrations.cache.byIndex(IndexName.instanceKey, key).length > 0) forget();
    });
  }

  /** The uids of the migrations that may begin now. */
  get chosen(): ReadonlySet<string> {
    this.#chosen ??= this.#choose();
    return this.#chosen;
  }

  #choose(): ReadonlySet<string> {
    const { migrations, instances, limits } = this.#context;
    return chooseMigrations({
      migrations: migrations.cache.byIndex(IndexName.open, OPEN).map((each) => this.#asItIs(each)),
      sourceNodeOf: (each) => {
        const status = instances.cache.get(instanceKeyOf(each))?.status;
        return status?.migrationState?.completed === true
          ? status.nodeName
          : (status?.migrationState?.sourceNode ?? status?.nodeName);
      },
      isRunning: (each) =>
        instances.cache.get(instanceKeyOf(each))?.status?.phase === VirtualMachineInstancePhase.running,
      limits,
    });
  }

  /** One whose target pod is made is under way, though its phase does not say so yet. */
  #asItIs(migration: VirtualMachineInstanceMigration): VirtualMachineInstanceMigration {
    const { metadata, status } = migration;
    if (!WAITING.includes(status?.phase ?? MigrationPhase.unset)) return migration;
    const targets = this.#context.pods.cache.byIndex(IndexName.migration, metadata.uid ?? '');
    const isBegun = targets.some((pod) => pod.metadata.namespace === metadata.namespace);
    return isBegun ? { ...migration, status: { ...status, phase: MigrationPhase.scheduling } } : migration;
  }
}
