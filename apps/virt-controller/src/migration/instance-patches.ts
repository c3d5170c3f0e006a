import type { Fields } from '@smalt/kube';
import type { VirtualMachineInstance } from '@smalt/vm-api';
import type { MigrationAction } from '@smalt/vm-lifecycle';

type HandOver = Extract<MigrationAction, { kind: 'hand-over' }>;

/**
 * The JSON patch that tells both handlers of a migration. It holds only for this very instance, in the phase and on the node
 * that the decision went by, and while nobody else has written a migration.
 */
export function handOverPatch(
  { metadata, status }: VirtualMachineInstance,
  { state, labels }: HandOver,
): readonly Fields[] {
  const before = status?.migrationState;
  const statePath = '/status/migrationState';
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'test', path: '/status/phase', value: status?.phase },
    { op: 'test', path: '/status/nodeName', value: status?.nodeName },
    // Nothing there is null to a test: a hand-over that comes late must not wipe out a migration that has begun.
    { op: 'test', path: statePath, value: before ?? null },
    { op: 'add', path: statePath, value: state },
    ...(metadata.labels === undefined
      ? [{ op: 'add', path: '/metadata/labels', value: labels }]
      : Object.entries(labels).map(([key, value]) => ({ op: 'add', path: `/metadata/labels/${escaped(key)}`, value }))),
  ];
}

/** The JSON patch that asks the handler of the source to give this very migration up. */
export function abortPatch({ metadata }: VirtualMachineInstance, migrationUid: string | undefined): readonly Fields[] {
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'test', path: '/status/migrationState/migrationUid', value: migrationUid },
    { op: 'add', path: '/status/migrationState/abortRequested', value: true },
  ];
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
