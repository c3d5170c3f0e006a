import type { AwaitedWrites } from '@smalt/controller-runtime';
import { isNotFound, type Fields } from '@smalt/kube';
import {
  MigrationPhase,
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  WellKnownName,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';
import {
  buildTargetPod,
  isLeftHandedOver,
  type MigrationAction,
  type MigrationFacts,
  type ObservedPod,
} from '@smalt/vm-lifecycle';

import { createOwned } from '../frame/create-owned.ts';
import { launcherSettingsOf } from '../instance/launcher-settings-of.ts';
import { blockVolumes, readStorage } from '../instance/read-storage.ts';
import { podKind } from '../kinds/launcher-pod.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import { abortPatch, handOverPatch } from './instance-patches.ts';

/** What carrying out a decision about a migration needs. */
export interface MigrationActing extends Pick<
  VirtControllerContext,
  'client' | 'settings' | 'nodes' | 'claims' | 'recorder' | 'ignore'
> {
  readonly written: AwaitedWrites<VirtualMachineInstanceMigration>;
  readonly writtenInstances: AwaitedWrites<VirtualMachineInstance>;
  readonly writtenPods: AwaitedWrites<ObservedPod>;
}

/** Asks the API for one thing about a migration. Returns the migration as it is then; undefined when it is gone. */
export async function actOnMigration(
  acting: MigrationActing,
  facts: MigrationFacts,
  action: MigrationAction,
  signal: AbortSignal,
): Promise<VirtualMachineInstanceMigration | undefined> {
  const { migration, vmi } = facts;
  switch (action.kind) {
    case 'create-target-pod':
      await createTarget(acting, facts, signal);
      return migration;
    case 'delete-target-pod':
      await deleteTarget(acting, migration, action, signal);
      return migration;
    case 'hand-over':
      if (vmi !== undefined) await patchInstance(acting, vmi, handOverPatch(vmi, action), signal);
      return migration;
    case 'request-abort':
      if (vmi !== undefined) await patchInstance(acting, vmi, abortPatch(vmi, action.migrationUid), signal);
      return migration;
    case 'remove-finalizer':
      await giveUpLeft(acting, migration, signal);
      return removeFinalizer(acting, migration, signal);
  }
}

async function createTarget(acting: MigrationActing, facts: MigrationFacts, signal: AbortSignal): Promise<void> {
  const { client, settings, nodes, claims, recorder, writtenPods } = acting;
  const { migration, vmi } = facts;
  if (vmi === undefined) return;
  const storage = readStorage(vmi, (key) => claims.cache.get(key));
  const sourceLabels = nodes.cache.get(vmi.status?.nodeName ?? '')?.metadata.labels ?? {};
  const launcher = launcherSettingsOf(vmi, settings, blockVolumes(storage));
  const draft = buildTargetPod({ vmi, migration, sourceLabels, settings: launcher });
  const { object, isNew } = await createOwned(client.resource(podKind), draft, signal);
  writtenPods.note(object);
  if (!isNew) return;
  const message = `Created migration target pod ${object.metadata.name}`;
  void recorder.record(migration, 'Normal', 'SuccessfulCreate', message);
}

async function deleteTarget(
  { client, ignore }: MigrationActing,
  { metadata }: VirtualMachineInstanceMigration,
  { name, uid }: Extract<MigrationAction, { kind: 'delete-target-pod' }>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client.resource(podKind).delete(name, { namespace: metadata.namespace, uid, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a pod that is gone need not be deleted');
  }
}

async function patchInstance(
  { client, writtenInstances }: MigrationActing,
  { metadata }: VirtualMachineInstance,
  patch: readonly Fields[],
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace } = metadata;
  const instances = client.resource(virtualMachineInstanceKind);
  writtenInstances.note(await instances.patch(name, 'json', patch, { namespace, signal }));
}

/** Without its finalizer a migration may be gone, and what the cache shows may be older than its hand-over. */
async function giveUpLeft(
  acting: MigrationActing,
  migration: VirtualMachineInstanceMigration,
  signal: AbortSignal,
): Promise<void> {
  if (migration.status?.phase !== MigrationPhase.failed) return;
  const { namespace, uid } = migration.metadata;
  try {
    const instances = acting.client.resource(virtualMachineInstanceKind);
    const now = await instances.get(migration.spec.vmiName ?? '', { namespace, signal });
    if (isLeftHandedOver(migration, now)) await patchInstance(acting, now, abortPatch(now, uid), signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    acting.ignore(error, 'an instance that is gone goes by no migration');
  }
}

async function removeFinalizer(
  { client, written, ignore }: MigrationActing,
  { metadata }: VirtualMachineInstanceMigration,
  signal: AbortSignal,
): Promise<VirtualMachineInstanceMigration | undefined> {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = metadata;
  const finalizers = (metadata.finalizers ?? []).filter((each) => each !== WellKnownName.migrationFinalizer);
  const patch = { metadata: { uid, resourceVersion, finalizers } };
  try {
    const migrations = client.resource(virtualMachineInstanceMigrationKind);
    const patched = await migrations.patch(name, 'merge', patch, { namespace, signal });
    const isGone = deletionTimestamp !== undefined && finalizers.length === 0;
    return isGone ? undefined : written.note(patched);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a migration that is gone has no finalizers');
    return undefined;
  }
}
