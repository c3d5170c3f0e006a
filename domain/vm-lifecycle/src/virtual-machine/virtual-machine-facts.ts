import type { VirtualMachine, VirtualMachineInstance, VirtualMachineSpec, VirtualMachineStatus } from '@smalt/vm-api';

import type { LiveChange } from './live-update.ts';

/** All that the decision about a virtual machine goes by. */
export interface VirtualMachineFacts {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance | undefined;
  /** The spec that the instance was started from, of the revision that it names. */
  readonly startedSpec?: VirtualMachineSpec;
  readonly storage?: StorageFacts;
  /** False while it is not known what its instance is made from: it is not started and not measured by its template. */
  readonly isTemplateKnown?: boolean;
  /** What went wrong when the last decision was carried out. */
  readonly problem?: { readonly reason: string; readonly message: string };
  /** Whether changes are carried into a running guest (`LiveUpdate`) or wait for a restart (`Stage`). */
  readonly rollout?: 'LiveUpdate' | 'Stage';
  /** Milliseconds since 1970. */
  readonly now: number;
  /** From 0 up to 1. */
  readonly random: number;
}

/** What is known of the volumes of a virtual machine. */
export interface StorageFacts {
  readonly dataVolumes: 'ready' | 'provisioning' | 'failed';
  readonly hasUnboundClaim: boolean;
}

/** What is to be asked of the API, in this order. */
export type VirtualMachineAction =
  | { readonly kind: 'add-finalizer' | 'remove-finalizer'; readonly finalizer: string }
  /** An object of kind ControllerRevision that holds the spec; it may be there already. */
  | { readonly kind: 'create-revision'; readonly name: string; readonly spec: VirtualMachineSpec }
  | { readonly kind: 'create-instance'; readonly instance: VirtualMachineInstance }
  | { readonly kind: 'update-instance'; readonly changes: readonly LiveChange[] }
  /** Only this one: the uid is a precondition. */
  | { readonly kind: 'delete-instance'; readonly name: string; readonly uid: string | undefined }
  | { readonly kind: 'remove-instance-finalizer'; readonly finalizer: string }
  | {
      readonly kind: 'set-run-strategy';
      readonly patch: { readonly runStrategy: string } | { readonly running: true };
    };

export interface VirtualMachineDecision {
  readonly actions: readonly VirtualMachineAction[];
  /** The whole status as it should be; write it only where it differs. */
  readonly status: VirtualMachineStatus;
  /** What is to be asked of the API once the status is written: what it says would be lost otherwise. */
  readonly afterStatus: readonly VirtualMachineAction[];
  /** When to look again though nothing happens. */
  readonly requeueAfterMs?: number;
}
