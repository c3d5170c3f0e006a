import { join } from 'node:path';

import type { Fields } from '@smalt/kube';

import type { PersistentVolume, PersistentVolumeClaim } from '../volumes/volume-kinds.ts';

/** The class of volumes that are directories of a node. */
export const LOCAL_CLASS = 'smalt-local';
/** Says on volumes and claims which node has them. */
export const NODE_LABEL = 'smalt.dev/volume-node';
const PROVISIONER = 'smalt.dev/local';

/** Where the volumes of a node lie. */
export interface LocalPlace {
  readonly nodeName: string;
  readonly volumesDirectory: string;
}

/** The class, as it is applied: the one that claims get that name none. */
export function localClass(): Fields {
  return {
    metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: PROVISIONER,
    reclaimPolicy: 'Delete',
    // A directory is on one node, so it is made where the first pod that wants it goes.
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: false,
  };
}

/** The name of the volume of a claim: made of its uid, so that it is made once however often that is tried. */
export function volumeName({ metadata }: PersistentVolumeClaim): string {
  return `pvc-${metadata.uid ?? ''}`;
}

/** The volume that a claim gets. */
export function localVolume(
  claim: PersistentVolumeClaim,
  { nodeName, volumesDirectory }: LocalPlace,
): Omit<PersistentVolume, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly metadata: PersistentVolume['metadata'];
  readonly spec: PersistentVolume['spec'] & { readonly hostPath: { readonly path: string } };
} {
  const { namespace = '', name, uid = '' } = claim.metadata;
  return {
    metadata: {
      name: volumeName(claim),
      labels: { [NODE_LABEL]: nodeName },
      annotations: { 'pv.kubernetes.io/provisioned-by': PROVISIONER },
    },
    spec: {
      capacity: { storage: String(claim.spec.resources?.requests?.['storage'] ?? '1Gi') },
      accessModes: claim.spec.accessModes ?? ['ReadWriteOnce'],
      volumeMode: 'Filesystem',
      storageClassName: LOCAL_CLASS,
      persistentVolumeReclaimPolicy: 'Delete',
      hostPath: { path: join(volumesDirectory, uid) },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [nodeName] }] },
          ],
        },
      },
    },
  };
}

/**
 * Whether a volume was given to this very claim. What a claim says itself is no proof: its `volumeName` is written by
 * whoever makes the claim, the `claimRef` only by those who manage volumes.
 */
export function isVolumeOf({ spec }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  const { namespace, name, uid } = spec.claimRef ?? {};
  if (uid === undefined || uid === '') return false;
  return uid === metadata.uid && name === metadata.name && namespace === metadata.namespace;
}

export type Reclaim = 'keep' | 'wait' | 'remove';

export interface ReclaimFacts {
  readonly volume: PersistentVolume;
  /** The claim of that name; undefined when there is none. */
  readonly claim: PersistentVolumeClaim | undefined;
  /** Whether a pod of this node still has it. */
  readonly isUsed: boolean;
}

/** Decides what happens to a volume: it goes with its claim, but never while a pod has it. */
export function decideReclaim({ volume, claim, isUsed }: ReclaimFacts): Reclaim {
  const { claimRef, persistentVolumeReclaimPolicy: policy } = volume.spec;
  const isClaimed = claim !== undefined && claim.metadata.uid === claimRef?.uid;
  if (isClaimed || policy !== 'Delete') return 'keep';
  return isUsed ? 'wait' : 'remove';
}
