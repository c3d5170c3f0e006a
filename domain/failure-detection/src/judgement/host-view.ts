import type { HostSignal } from './host-signal.ts';

/** One boot of a host, as its agent told it. */
export interface BootReport {
  readonly bootId: string | undefined;
  readonly uptimeSeconds: number;
}

/** All that is known of a host when it is judged. */
export interface HostView {
  readonly name: string;
  /** What fails together: a rack, a power feed. Hosts without one share one. */
  readonly failureDomain: string | undefined;
  readonly signals: readonly HostSignal[];
  /** The two newest reports of its agent. */
  readonly boot: { readonly previous: BootReport | undefined; readonly latest: BootReport | undefined };
  /** The word in `spec.maintenance`; empty or undefined for none. */
  readonly maintenance: string | undefined;
  /** Whether an incident of it is over and it has not returned since. */
  readonly isHeld: boolean;
  readonly isHighlyAvailable: boolean;
  readonly isOnboarded: boolean;
  /** Why the recovery policy leaves it alone, as a sentence: a filter, or a segment that is not enabled. */
  readonly policyObjection?: string | undefined;
  /** Whether the compute system has not watched it for long enough yet to tell whether it lives; that ends by itself. */
  readonly isUnwatched?: boolean | undefined;
  /** Until when it is known to be writing a kernel dump. */
  readonly kdumpUntil: number | undefined;
  /** How many of its instances are to be rebuilt if it dies; undefined when that is not known. */
  readonly relevantInstances: number | undefined;
}

/** Whether the host started anew between two reports: another boot id, or an uptime that went down. */
export function isReboot(previous: BootReport | undefined, latest: BootReport | undefined): boolean {
  if (previous === undefined || latest === undefined) return false;
  if (previous.bootId !== undefined && latest.bootId !== undefined) return previous.bootId !== latest.bootId;
  return latest.uptimeSeconds < previous.uptimeSeconds;
}
