import { isSameJson } from '@smalt/json';
import {
  isFinalPhase,
  VirtualMachineInstancePhase as Phase,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigrationState,
} from '@smalt/vm-api';

import { bare } from '../virtual-machine/bare.ts';

/** How the API is told what has changed about an instance. */
export type InstanceWrite =
  | { readonly kind: 'none' }
  /** All of it: only the controller writes it now. */
  | { readonly kind: 'update'; readonly instance: VirtualMachineInstance }
  /** Single fields, each only as long as it is what it was: the handler of the node owns the rest. */
  | { readonly kind: 'patch'; readonly operations: readonly PatchOperation[] };

export type PatchOperation =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

const HANDLED: readonly string[] = [Phase.scheduled, Phase.running, Phase.unknown];

/** Whether the handler of its node owns an instance, so that the controller may only touch a few fields. */
export function isHandled({ status }: VirtualMachineInstance): boolean {
  return HANDLED.includes(status?.phase ?? Phase.unset);
}

/** What the controller may write while the handler owns the object. */
const PATCHABLE = [
  '/metadata/labels',
  '/metadata/annotations',
  '/metadata/finalizers',
  '/status/phase',
  '/status/reason',
  '/status/conditions',
  '/status/activePods',
  '/status/volumeStatus',
  '/status/phaseTransitionTimestamps',
  '/status/launcherContainerImageVersion',
] as const;

/** What of a migration says at which end the guest may be. The rest may change under whoever ends it: why it failed, or how it is done. */
const WHERE_IT_MAY_RUN = [
  'migrationUid',
  'sourceNode',
  'targetNode',
  'startTimestamp',
  'mode',
  'targetNodeDomainDetected',
  'completed',
  'failed',
] as const satisfies readonly (keyof VirtualMachineInstanceMigrationState)[];

/** Makes the smallest write that turns one into the other, in the manner that its phase allows. */
export function planInstanceWrite(before: VirtualMachineInstance, after: VirtualMachineInstance): InstanceWrite {
  if (isSameJson(bare(before), bare(after))) return { kind: 'none' };
  if (!isHandled(before)) return { kind: 'update', instance: after };
  const operations = PATCHABLE.flatMap((path) => operationsFor(path, valueAt(before, path), valueAt(after, path)));
  if (operations.length === 0) return { kind: 'none' };
  return { kind: 'patch', operations: [...placeTests(before, after), ...operations] };
}

/**
 * What a write of single fields holds on to besides them: that the instance is still on the node where it was seen. One that ends it
 * holds on to its migration too. What was seen may be minutes old, and since then the guest may have gone where it runs well.
 */
export function placeTests(
  { status: before }: VirtualMachineInstance,
  { status: after }: VirtualMachineInstance,
): readonly PatchOperation[] {
  if (before === undefined) return [];
  // Nothing there is null to a test.
  const { nodeName = null, migrationState } = before;
  const tests = [{ op: 'test', path: '/status/nodeName', value: nodeName }] as const;
  const isEnd = isFinalPhase(after?.phase) && !isFinalPhase(before.phase);
  return isEnd ? [...tests, ...migrationTests(migrationState)] : tests;
}

function migrationTests(state: VirtualMachineInstanceMigrationState | undefined): readonly PatchOperation[] {
  const path = '/status/migrationState';
  if (state === undefined) return [{ op: 'test', path, value: null }];
  return WHERE_IT_MAY_RUN.map((name) => ({ op: 'test', path: `${path}/${name}`, value: state[name] ?? null }));
}

function operationsFor(path: string, before: unknown, after: unknown): readonly PatchOperation[] {
  if (isSameJson(bare({ field: before }), bare({ field: after }))) return [];
  if (before === undefined) return [{ op: 'add', path, value: after }];
  // A test compares all of it: the value has to be as the API gave it, null and all.
  const test = { op: 'test', path, value: before } as const;
  return after === undefined ? [test, { op: 'remove', path }] : [test, { op: 'replace', path, value: after }];
}

function valueAt({ metadata, status }: VirtualMachineInstance, path: (typeof PATCHABLE)[number]): unknown {
  switch (path) {
    case '/metadata/labels':
      return metadata.labels;
    case '/metadata/annotations':
      return metadata.annotations;
    case '/metadata/finalizers':
      return metadata.finalizers;
    case '/status/phase':
      return status?.phase;
    case '/status/reason':
      return status?.reason;
    case '/status/conditions':
      return status?.conditions;
    case '/status/activePods':
      return status?.activePods;
    case '/status/volumeStatus':
      return status?.volumeStatus;
    case '/status/phaseTransitionTimestamps':
      return status?.phaseTransitionTimestamps;
    case '/status/launcherContainerImageVersion':
      return status?.launcherContainerImageVersion;
  }
}
