import { keyOf, type AwaitedWrites, type ObjectKey } from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import { KubernetesError } from '@smalt/kubernetes';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceReplicaSetKind,
  type VirtualMachineInstance,
  type VirtualMachineInstanceReplicaSet,
} from '@smalt/vm-api';
import { claimInstances, type Claims, type OwnerChange } from '@smalt/vm-lifecycle';

import { changeOwners } from '../frame/change-owners.ts';
import { controllerOf } from '../frame/controller-of.ts';
import { IndexName } from '../frame/index-names.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';

/** What finding and writing the instances of a set needs. */
export interface ClaimActing extends Pick<VirtControllerContext, 'client' | 'instances' | 'recorder' | 'ignore'> {
  readonly writtenInstances: AwaitedWrites<VirtualMachineInstance>;
}

/** A set, and which instances it has, takes and lets go of. */
export interface ClaimingSet {
  readonly replicaSet: VirtualMachineInstanceReplicaSet;
  readonly claims: Claims<VirtualMachineInstance>;
}

/** The sets that would take an instance. */
export function setsThatTake(
  replicaSets: VirtControllerContext['replicaSets'],
  instance: VirtualMachineInstance | undefined,
): readonly ObjectKey[] {
  if (instance === undefined || controllerOf(instance) !== undefined) return [];
  const sets = replicaSets.cache.byIndex(IndexName.namespace, instance.metadata.namespace ?? '');
  return sets.filter((set) => wouldTake(set, instance)).map(keyOf);
}

function wouldTake(set: VirtualMachineInstanceReplicaSet, instance: VirtualMachineInstance): boolean {
  try {
    return claimInstances(set, [instance]).adopted.length > 0;
  } catch (error) {
    // A selector that makes no sense is told of where the set itself is looked at.
    if (error instanceof KubernetesError) return false;
    throw error;
  }
}

/**
 * Decides by the caches what a set has, takes and lets go of; and before it takes anything, by the set as the API has it
 * now: what is taken by a set that has just been deleted would be deleted with it. Undefined when there is nothing to be
 * decided yet.
 */
export async function findClaims(
  acting: ClaimActing,
  replicaSet: VirtualMachineInstanceReplicaSet,
  signal: AbortSignal,
): Promise<ClaimingSet | undefined> {
  const claiming = claimsOf(acting, replicaSet);
  if (claiming === undefined || claiming.claims.adopted.length === 0) return claiming;
  const fresh = await readAnew(acting, replicaSet, signal);
  return fresh && claimsOf(acting, fresh);
}

function claimsOf(acting: ClaimActing, replicaSet: VirtualMachineInstanceReplicaSet): ClaimingSet | undefined {
  const { instances, writtenInstances } = acting;
  const { uid = '', namespace = '' } = replicaSet.metadata;
  const own = instances.cache.byIndex(IndexName.owner, uid);
  const found = [...own, ...instances.cache.byIndex(IndexName.free, namespace)];
  // Who has just been taken may still look free.
  if (found.some((instance) => writtenInstances.isBehind(keyOf(instance)))) return undefined;
  return { replicaSet, claims: claimInstances(replicaSet, found) };
}

async function readAnew(
  { client, ignore }: ClaimActing,
  { metadata }: VirtualMachineInstanceReplicaSet,
  signal: AbortSignal,
): Promise<VirtualMachineInstanceReplicaSet | undefined> {
  const { name, namespace, uid } = metadata;
  try {
    const fresh = await client.resource(virtualMachineInstanceReplicaSetKind).get(name, { namespace, signal });
    return fresh.metadata.uid === uid ? fresh : undefined;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a set that is gone takes nothing');
    return undefined;
  }
}

/** Takes an instance. Says whether it was there. */
export async function adopt(
  acting: ClaimActing,
  replicaSet: VirtualMachineInstanceReplicaSet,
  change: OwnerChange<VirtualMachineInstance>,
  signal: AbortSignal,
): Promise<boolean> {
  const isDone = await writeOwners(acting, change, signal);
  const message = `Adopted virtual machine instance ${change.object.metadata.name}, which nobody looked after`;
  if (isDone) void acting.recorder.record(replicaSet, 'Normal', 'SuccessfulAdopt', message);
  return isDone;
}

/** Lets go of an instance. */
export async function release(
  acting: ClaimActing,
  replicaSet: VirtualMachineInstanceReplicaSet,
  change: OwnerChange<VirtualMachineInstance>,
  signal: AbortSignal,
): Promise<boolean> {
  const isDone = await writeOwners(acting, change, signal);
  const message = `Let go of virtual machine instance ${change.object.metadata.name}: its labels no longer match`;
  if (isDone) void acting.recorder.record(replicaSet, 'Normal', 'SuccessfulRelease', message);
  return isDone;
}

async function writeOwners(
  { client, ignore, writtenInstances }: ClaimActing,
  change: OwnerChange<VirtualMachineInstance>,
  signal: AbortSignal,
): Promise<boolean> {
  const writing = { objects: client.resource(virtualMachineInstanceKind), written: writtenInstances, ignore };
  return await changeOwners(writing, change, signal);
}
