import type { MigrationStatus } from '@smalt/fleet-api';

import { intervalOf } from './join-statuses.ts';

/** The labels by which the records of a guest and of a host are found. */
export const RecordLabel = {
  instance: 'smalt.dev/instance',
  origin: 'smalt.dev/origin',
  destination: 'smalt.dev/destination',
} as const;

/** What tells that a record is being moved, so that whoever comes across it can finish that. */
export const RecordAnnotation = {
  /** The name under which it is from now on; nothing is written to it any more. */
  movesTo: 'smalt.dev/moves-to',
  /** The uid of the record that it was made from. */
  movedFrom: 'smalt.dev/moved-from',
  /** The uid of the record that the other host keeps of the same migration, and that comes to this one. */
  twin: 'smalt.dev/twin',
} as const;

const LONGEST_LABEL = 63;

/**
 * The names under which the record of an earlier migration is kept: `<id>-20260131235959`, and one with the
 * milliseconds for when that is taken by another that began in the same second.
 */
export function keptRecordNames(
  instance: string,
  { started }: Pick<MigrationStatus, 'started'>,
): readonly [name: string, preciseName: string] {
  const stamp = new Date(started).toISOString().replaceAll(/\D/g, '');
  return [`${instance}-${stamp.slice(0, 14)}`, `${instance}-${stamp}`];
}

/** The labels that the record of a guest has once these hosts are known. */
export function recordLabels(
  instance: string,
  { origin, destination }: Pick<MigrationStatus, 'origin' | 'destination'>,
): Readonly<Record<string, string>> {
  return {
    [RecordLabel.instance]: labelValue(instance),
    ...(origin !== undefined && { [RecordLabel.origin]: labelValue(origin) }),
    ...(destination !== undefined && { [RecordLabel.destination]: labelValue(destination) }),
  };
}

/** A text as Kubernetes takes it for the value of a label: at most 63 letters, digits, dots, dashes and underscores. */
export function labelValue(text: string): string {
  const allowed = text.replaceAll(/[^A-Za-z0-9._-]/g, '-').slice(0, LONGEST_LABEL);
  return allowed.replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}

/** When a record may go: so long after the migration ended, or after the last word of one whose hosts fell silent. */
export function expiresAtMs(status: MigrationStatus, timeToLiveMs: number): number {
  return intervalOf(status).endMs + timeToLiveMs;
}
