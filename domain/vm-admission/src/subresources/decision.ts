import type { JsonValue } from '@smalt/json';
import type { VirtualMachineInstanceMigration } from '@smalt/vm-api';

/** One operation of a JSON patch. */
export type PatchOperation =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string };

/** A JSON patch and what it is for. */
export interface ObjectPatch {
  readonly target: 'machine' | 'machine-status' | 'instance';
  readonly operations: readonly PatchOperation[];
}

/** Why a request to a subresource is not carried out. */
export interface Refusal {
  readonly kind: 'refuse';
  readonly code: 400 | 403 | 404 | 409;
  /** The kind of object that stands in the way; none for a request that is wrong in itself. */
  readonly resource?: 'virtualmachine' | 'virtualmachineinstance';
  readonly name?: string;
  readonly message: string;
}

/** What a request to a subresource leads to. */
export type SubresourceDecision =
  | Refusal
  /** Patches to write one after the other. When a later one fails, those with an `undo` are taken back. */
  | { readonly kind: 'patch'; readonly patches: readonly ObjectPatch[]; readonly undo?: ObjectPatch }
  /** The node of the instance does it. */
  | { readonly kind: 'forward' }
  | { readonly kind: 'create-migration'; readonly spec: VirtualMachineInstanceMigration['spec'] }
  /** All is as it should be already. */
  | { readonly kind: 'nothing' };

/** The words that several subresources share. */
export const NOT_RUNNING = { machine: 'VM is not running', instance: 'VMI is not running' } as const;
