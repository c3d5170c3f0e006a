import { isAlreadyExists, isNotFound } from '@smalt/kube';
import type { VirtualMachine, VirtualMachineStatus } from '@smalt/vm-api';
import { revisionGeneration, revisionName, type VirtualMachineAction } from '@smalt/vm-lifecycle';

import { controllerRevisionKind } from '../kinds/controller-revision.ts';
import type { VirtControllerContext } from '../virt-controller-context.ts';

type RevisionContext = Pick<VirtControllerContext, 'client' | 'ignore'>;

/** Notes the spec that an instance is started from, or brought in line with. */
export async function createRevision(
  { client, ignore }: RevisionContext,
  vm: VirtualMachine,
  { name, spec }: Extract<VirtualMachineAction, { kind: 'create-revision' }>,
  signal: AbortSignal,
): Promise<void> {
  const { apiVersion, kind, metadata } = vm;
  const { namespace, uid = '' } = metadata;
  const owner = { apiVersion, kind, name: metadata.name, uid, controller: true, blockOwnerDeletion: true };
  const draft = {
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ownerReferences: [owner] },
    revision: revisionGeneration(name, uid) ?? 0,
    data: { spec },
  };
  try {
    await client.resource(controllerRevisionKind).create(draft, { signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    ignore(error, 'the name of a revision holds the generation, and a generation has one spec: it is the same');
  }
}

/** Deletes the note that an instance was in line with before it was brought in line with another. */
export async function forgetRevision(
  { client, ignore }: RevisionContext,
  { metadata, status: before }: VirtualMachine,
  after: VirtualMachineStatus,
  signal: AbortSignal,
): Promise<void> {
  const { namespace, uid = '' } = metadata;
  const old = before?.observedGeneration;
  // A cache that has just begun may show the instance of before: what the guest runs from by now is the later one, and stays.
  if (old === undefined || after.observedGeneration === undefined || old >= after.observedGeneration) return;
  try {
    await client.resource(controllerRevisionKind).delete(revisionName(uid, old), { namespace, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    ignore(error, 'a revision that is gone need not be deleted');
  }
}
