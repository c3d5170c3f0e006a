import { MigrationMode, type VirtualMachineInstance } from '@smalt/vm-api';

import type { EndedMigration } from './source-outcome.ts';
import { hasOwnProcessors } from './target-processors.ts';

/** What this process knows of a migration that it carries on. */
export interface RunFacts {
  readonly ended: EndedMigration | undefined;
  readonly mode: MigrationMode | undefined;
  readonly doubt: string | undefined;
}

export interface SourceFacts {
  readonly nodeName: string;
  readonly instance: VirtualMachineInstance;
  /** Undefined while this process has not begun. */
  readonly run: RunFacts | undefined;
}

/** What the source of a migration does next. */
export type SourceStep =
  /** It is no business of this node, or over. */
  | { readonly kind: 'none' }
  /** The target is not ready. */
  | { readonly kind: 'wait' }
  /** Nothing has begun, and nothing shall. */
  | { readonly kind: 'refuse'; readonly reason: string }
  /** Say that it begins: only what the API knows of can be begun, or a guest could run where nobody looks for it. */
  | { readonly kind: 'announce' }
  /** Begin, or find out what became of what an earlier handler began. `giveUp` says why it shall not go on. */
  | { readonly kind: 'begin'; readonly giveUp: string | undefined }
  | { readonly kind: 'give-up'; readonly reason: string }
  | { readonly kind: 'watch' }
  | { readonly kind: 'end'; readonly ended: EndedMigration };

/** Decides what the source of a migration does next. */
export function decideSource({ nodeName, instance, run }: SourceFacts): SourceStep {
  const state = instance.status?.migrationState;
  if (state === undefined || state.migrationUid === undefined) return { kind: 'none' };
  if (state.sourceNode !== nodeName || state.completed === true) return { kind: 'none' };
  const giveUp = giveUpReason(instance);
  if (run?.ended !== undefined) return { kind: 'end', ended: run.ended };
  if (run !== undefined) {
    // Half of the guest is at each end by then: there is no way back.
    const isPossible = giveUp !== undefined && run.mode !== MigrationMode.postCopy;
    return isPossible ? { kind: 'give-up', reason: giveUp } : { kind: 'watch' };
  }
  if (isSet(state.startTimestamp)) return { kind: 'begin', giveUp };
  const refusal = giveUp ?? targetFailure(instance) ?? missingProcessors(instance);
  if (refusal !== undefined) return { kind: 'refuse', reason: refusal };
  return isSet(state.targetNodeAddress) ? { kind: 'announce' } : { kind: 'wait' };
}

/** Whether a guest may be on its way from here, so that nothing else may be done to its domain. */
export function mayBeLeaving(instance: VirtualMachineInstance, nodeName: string): boolean {
  const state = instance.status?.migrationState;
  return state?.sourceNode === nodeName && isSet(state.startTimestamp) && state.completed !== true;
}

function giveUpReason({ metadata, status }: VirtualMachineInstance): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'the instance is being deleted';
  return status?.migrationState?.abortRequested === true ? 'the migration was aborted' : undefined;
}

/** The target tells by a reason alone that it will not get ready; to end the migration is up to the source. */
function targetFailure({ status }: VirtualMachineInstance): string | undefined {
  const reason = status?.migrationState?.failureReason;
  return isSet(reason) ? reason : undefined;
}

/** Only an older handler is ready without a word of them, and the guest would take those of others. */
function missingProcessors(instance: VirtualMachineInstance): string | undefined {
  const { targetNode = '', targetNodeAddress, targetCPUSet } = instance.status?.migrationState ?? {};
  if (!hasOwnProcessors(instance) || !isSet(targetNodeAddress) || targetCPUSet !== undefined) return undefined;
  return `the node ${targetNode} does not say which processors it has set aside; its handler is older: update it`;
}

function isSet(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}
