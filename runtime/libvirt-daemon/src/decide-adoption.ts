import type { DaemonRecord } from './daemon-record.ts';

export type Adoption =
  | { readonly kind: 'adopt'; readonly record: DaemonRecord }
  | { readonly kind: 'start'; readonly keepsRun: boolean };

/**
 * Decides between the daemon of a directory and a new one. What a dead one left in `run` leads to its guests; of another
 * boot it leads to whatever has their process numbers now, and is not kept.
 */
export function decideAdoption(record: DaemonRecord | undefined, runs: boolean, bootId: string): Adoption {
  if (record !== undefined && runs) return { kind: 'adopt', record };
  return { kind: 'start', keepsRun: record?.bootId === bootId };
}
