import { LibvirtError } from './libvirt-error.ts';

const DEFAULT_TIMEOUT_MS = 5000;

export interface CloseOptions {
  /** How long calls under way and streams being finished may still take; then they fail with `closed`. Default 5000. */
  readonly timeoutMs?: number;
}

/** How long closing may take: no time at all if the limit is none, since nothing may stay open for a wrong argument. */
export function closeTimeoutMs({ timeoutMs = DEFAULT_TIMEOUT_MS }: CloseOptions): number {
  return timeoutMs >= 0 ? timeoutMs : 0;
}

/** Fails with `invalid-arg` when the limit is none. */
export function checkCloseOptions({ timeoutMs = DEFAULT_TIMEOUT_MS }: CloseOptions): void {
  if (!(timeoutMs >= 0)) throw new LibvirtError('invalid-arg', `timeoutMs: ${timeoutMs} is not a time`);
}
