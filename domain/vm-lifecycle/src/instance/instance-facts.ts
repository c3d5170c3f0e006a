import type { PersistentVolumeClaimInfo, VirtualMachineInstance } from '@smalt/vm-api';

import type { FenceProof } from '../node/fence-note.ts';
import type { NodeHealth } from '../node/judge-heartbeat.ts';
import type { InstanceWrite } from './instance-write.ts';
import type { ObservedPod } from './launcher-pod-state.ts';

/** All that the decision about an instance goes by. */
export interface InstanceFacts {
  readonly vmi: VirtualMachineInstance;
  /** All launcher pods that the instance owns, those of migrations too. */
  readonly pods: readonly ObservedPod[];
  /** The pods that hold claims for it on its node; none if not given. */
  readonly attachments?: readonly ObservedPod[];
  readonly storage: InstanceStorage;
  /** Whether a virtual machine owns the instance and looks after its own finalizer. */
  readonly hasOwner: boolean;
  readonly hasActiveMigration: boolean;
  /** The nodes that the instance may run on, by name; those that are missing count as silent. */
  readonly nodes: ReadonlyMap<string, NodeHealth>;
  readonly fenceProofs: readonly FenceProof[];
  /** What went wrong when the last decision was carried out. */
  readonly problem?: { readonly reason: string; readonly message: string };
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What is known of the volumes of an instance. */
export interface InstanceStorage {
  readonly dataVolumes: 'ready' | 'pending' | 'failed';
  /** The claims that do not exist. */
  readonly missingClaims: readonly string[];
  /** What is known of the claims, by the name of the volume. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaimInfo>;
}

/** What is to be asked of the API. */
export type InstanceAction =
  | { readonly kind: 'create-pod' }
  /** Brings a claim to the node of an instance that runs. */
  | { readonly kind: 'create-attachment'; readonly volumeName: string; readonly claimName: string }
  /** With `isForced`, without waiting for a node that is known to be off. */
  | { readonly kind: 'delete-pod'; readonly name: string; readonly uid: string | undefined; readonly isForced: boolean }
  /** The readiness gate of the pod follows the guest. */
  | {
      readonly kind: 'set-pod-condition';
      readonly name: string;
      readonly type: string;
      readonly status: 'True' | 'False';
    };

export interface InstanceDecision {
  readonly actions: readonly InstanceAction[];
  readonly write: InstanceWrite;
}
