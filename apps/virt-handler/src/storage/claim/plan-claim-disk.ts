import type { PersistentVolumeClaimInfo } from '@smalt/vm-api';

/** How large the disk in a claim becomes. */
export type ClaimDiskPlan =
  | { readonly kind: 'create'; readonly sizeBytes: number }
  | { readonly kind: 'unknown-size' }
  | { readonly kind: 'too-little-room'; readonly neededBytes: number };

export interface ClaimFacts {
  /** What the claim has, in bytes. */
  readonly capacityBytes: number | undefined;
  readonly overhead: PersistentVolumeClaimInfo['filesystemOverhead'];
  /** What can still be written in its directory. */
  readonly freeBytes: number;
}

/** What a file system keeps for itself when nobody knows better. */
const DEFAULT_OVERHEAD = 0.055;
/** How much less than asked for is still taken for what was asked for. */
const TOLERANCE = 0.1;
const ALIGNMENT_BYTES = 1 << 20;

/** The size of a disk that is made in a claim: what the claim has less what its file system takes, in whole MiB. */
export function planClaimDisk({ capacityBytes, overhead, freeBytes }: ClaimFacts): ClaimDiskPlan {
  if (capacityBytes === undefined) return { kind: 'unknown-size' };
  const share = Number(overhead);
  const isShare = overhead !== undefined && overhead !== '' && share >= 0 && share < 1;
  const wanted = capacityBytes * (1 - (isShare ? share : DEFAULT_OVERHEAD));
  const neededBytes = Math.floor(wanted * (1 - TOLERANCE));
  const sizeBytes = Math.floor(Math.min(wanted, freeBytes) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  if (freeBytes < neededBytes || sizeBytes === 0) return { kind: 'too-little-room', neededBytes };
  return { kind: 'create', sizeBytes };
}
