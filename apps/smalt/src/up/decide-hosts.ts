export interface HostsFacts {
  /** What the flag says, if it was given. */
  readonly wanted: number | undefined;
  /** How many the data directory has; undefined where it was never used. */
  readonly known: number | undefined;
}

export type HostsDecision =
  | { readonly kind: 'use'; readonly hosts: number }
  | { readonly kind: 'refuse'; readonly message: string };

/** Decides how many hosts a start has: those that it had before, or more of them. 0 is this machine itself. */
export function decideHosts({ wanted, known }: HostsFacts): HostsDecision {
  if (known === undefined) return { kind: 'use', hosts: wanted ?? 0 };
  if (wanted === undefined || wanted === known) return { kind: 'use', hosts: known };
  if (known > 0 && wanted > known) return { kind: 'use', hosts: wanted };
  const had = known === 0 ? 'was made for this machine itself' : `has ${known} hosts`;
  const next = 'leave --hosts out, give another directory with --data, or remove this one with smalt down --purge';
  return { kind: 'refuse', message: `--hosts ${wanted}: the data directory ${had}: ${next}` };
}
