import { keyOf, type AwaitedWrites, type ObjectKey } from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachinePool,
} from '@smalt/vm-api';
import { releaseMachines, type OwnerChange, type PoolAction } from '@smalt/vm-lifecycle';

import { changeOwners } from '../frame/change-owners.ts';
import { createOwned } from '../frame/create-owned.ts';
import { volumeClaimKind, type VolumeClaim } from '../kinds/volume-claim.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';
import type { AwaitedChanges } from './awaited-changes.ts';

/** What carrying out a decision about a pool needs. */
export interface PoolActing extends Pick<VirtControllerContext, 'client' | 'recorder' | 'ignore'> {
  readonly writtenMachines: AwaitedWrites<VirtualMachine>;
  readonly writtenClaims: AwaitedWrites<VolumeClaim>;
  readonly changedMachines: AwaitedChanges<VirtualMachine>;
  readonly changedInstances: AwaitedChanges<VirtualMachineInstance>;
}

type ActionOf<Kind extends PoolAction['kind']> = Extract<PoolAction, { readonly kind: Kind }>;

/** Asks the API for one thing about a pool. */
export async function actOnPool(
  acting: PoolActing,
  pool: VirtualMachinePool,
  action: PoolAction,
  signal: AbortSignal,
): Promise<void> {
  switch (action.kind) {
    case 'create-machine':
      return await createMachine(acting, pool, action, signal);
    case 'delete-machine':
    case 'replace-machine':
      return await deleteMachine(acting, pool, action, signal);
    case 'update-machine':
      return await updateMachine(acting, pool, action, signal);
    case 'restart-instance':
      return await restartInstance(acting, pool, action, signal);
    case 'keep-claim':
      return await keepClaim(acting, pool, action, signal);
  }
}

async function createMachine(
  { client, recorder, changedMachines }: PoolActing,
  pool: VirtualMachinePool,
  { machine }: ActionOf<'create-machine'>,
  signal: AbortSignal,
): Promise<void> {
  const { object, isNew } = await createOwned(client.resource(virtualMachineKind), machine, signal);
  if (!isNew) return;
  changedMachines.made(keyOf(pool), keyOf(object), object.metadata.uid);
  void recorder.record(pool, 'Normal', 'SuccessfulCreate', `Created VM ${keyOf(object)}`);
}

/** Deletes a machine, if it is still as it was judged: one that was taken out of the pool, halted or healed since stays. */
async function deleteMachine(
  { client, recorder, ignore, changedMachines }: PoolActing,
  pool: VirtualMachinePool,
  { name, uid, resourceVersion }: ActionOf<'delete-machine' | 'replace-machine'>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = pool.metadata;
  try {
    await client.resource(virtualMachineKind).delete(name, { namespace, uid, resourceVersion, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a machine that is gone need not be deleted');
    return;
  }
  changedMachines.deleted(keyOf(pool), besides(pool, name), uid);
  const message = `Deleted VM ${besides(pool, name)} with uid ${uid ?? ''} from pool`;
  void recorder.record(pool, 'Normal', 'SuccessfulDelete', message);
}

/** Lets go of a machine, if it is still as it was read. */
export async function releaseMachine(
  { client, recorder, ignore, writtenMachines }: PoolActing,
  pool: VirtualMachinePool,
  change: OwnerChange<VirtualMachine>,
  signal: AbortSignal,
): Promise<void> {
  const writing = { objects: client.resource(virtualMachineKind), written: writtenMachines, ignore };
  if (!(await changeOwners(writing, change, signal))) return;
  const message = `Let go of VM ${keyOf(change.object)}: its labels no longer match`;
  void recorder.record(pool, 'Normal', 'SuccessfulRelease', message);
}

/** Changes a machine, if it is still as it was read. */
async function updateMachine(
  { client, recorder, ignore, writtenMachines }: PoolActing,
  pool: VirtualMachinePool,
  { old, machine }: ActionOf<'update-machine'>,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace, resourceVersion } = old.metadata;
  const { labels, annotations } = machine.metadata;
  const patch = [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'add', path: '/metadata/labels', value: labels },
    { op: 'add', path: '/metadata/annotations', value: annotations },
    { op: 'replace', path: '/spec', value: machine.spec },
  ];
  try {
    writtenMachines.note(await client.resource(virtualMachineKind).patch(name, 'json', patch, { namespace, signal }));
    void recorder.record(pool, 'Normal', 'SuccessfulUpdate', `Updated VM ${keyOf(old)}`);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a machine that is gone needs no change');
  }
}

/** Restarts an instance, if it is still as it was judged, and its machine still of the pool. */
async function restartInstance(
  { client, recorder, ignore, changedInstances }: PoolActing,
  pool: VirtualMachinePool,
  { name, uid, resourceVersion }: ActionOf<'restart-instance'>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = pool.metadata;
  try {
    // The instance does not show what has become of its machine, which has the same name.
    const machine = await client.resource(virtualMachineKind).get(name, { namespace, signal });
    if (releaseMachines(pool, [machine]).own.length === 0) return;
    await client.resource(virtualMachineInstanceKind).delete(name, { namespace, uid, resourceVersion, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'an instance that is gone need not be restarted');
    return;
  }
  changedInstances.deleted(keyOf(pool), besides(pool, name), uid);
  const message = `Restarted VM ${besides(pool, name)}, whose template has changed`;
  void recorder.record(pool, 'Normal', 'SuccessfulUpdate', message);
}

/** Lets a claim belong to none of its machines, if it is still as it was read. */
async function keepClaim(
  { client, recorder, ignore, writtenClaims }: PoolActing,
  pool: VirtualMachinePool,
  { name, uid, resourceVersion, ownerReferences }: ActionOf<'keep-claim'>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace } = pool.metadata;
  const patch = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'replace', path: '/metadata/ownerReferences', value: ownerReferences },
  ];
  try {
    writtenClaims.note(await client.resource(volumeClaimKind).patch(name, 'json', patch, { namespace, signal }));
    const message = `The claim ${besides(pool, name)} stays when its VM goes, as statePreservation says`;
    void recorder.record(pool, 'Normal', 'SuccessfulUpdate', message);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a claim that is gone cannot be kept');
  }
}

function besides({ metadata }: VirtualMachinePool, name: string): ObjectKey {
  return `${metadata.namespace ?? ''}/${name}`;
}
