/** What this machine is, as far as Smalt needs it. */
export interface MachineFacts {
  readonly isRoot: boolean;
  readonly kvm: 'usable' | 'denied' | 'missing';
  /** Whether its processors can virtualize at all. */
  readonly hasVirtualization: boolean;
  readonly cgroups: { readonly version: 0 | 1 | 2; readonly controllers: readonly string[] };
  /** Where programs are; undefined for those that are missing. */
  readonly programs: Readonly<Record<string, string | undefined>>;
  readonly libvirt:
    | { readonly kind: 'answers'; readonly socket: string; readonly version: string }
    | { readonly kind: 'silent'; readonly socket: string; readonly why: string }
    | { readonly kind: 'none' };
  readonly disk: { readonly path: string; readonly freeBytes: number; readonly totalBytes: number };
  readonly memory: { readonly availableBytes: number; readonly totalBytes: number };
  /** Who keeps the time right; undefined where nobody is known to. */
  readonly timekeeper: string | undefined;
  readonly inotifyInstances: number;
  readonly smaltUp: { readonly directory: string; readonly pid: number | undefined; readonly isAnswering: boolean };
  /** Whether Open vSwitch runs: its socket, where there is one. */
  readonly switchSocket: string | undefined;
  readonly certificates: readonly CertificateFact[];
}

export interface CertificateFact {
  readonly what: string;
  readonly endsAt: Date;
}
