import type { HostIdentity, MoveTarget } from './compute-host.ts';

/** What an instance is doing, as far as moving it is concerned. */
export const InstanceState = {
  running: 'running',
  stopped: 'stopped',
  paused: 'paused',
  suspended: 'suspended',
  rescued: 'rescued',
  /** Put away: it is on no host, or will be on none once the compute system clears it away. */
  shelved: 'shelved',
  building: 'building',
  /** On its way to another host, or being resized. */
  moving: 'moving',
  /** It has arrived, and waits for somebody to say that it may stay. */
  unconfirmed: 'unconfirmed',
  deleting: 'deleting',
  failed: 'failed',
  /** A task that ends by itself: rebooting, snapshotting and so on. */
  busy: 'busy',
} as const;
export type InstanceState = (typeof InstanceState)[keyof typeof InstanceState];

/** What the guest of an instance was last seen to do, whatever its state says; a compute system notices that late. */
export const GuestState = {
  running: 'running',
  paused: 'paused',
  /** It stands still: switched off, crashed or suspended to disk. */
  off: 'off',
  unknown: 'unknown',
} as const;
export type GuestState = (typeof GuestState)[keyof typeof GuestState];

export interface ComputeInstance {
  readonly id: string;
  readonly name: string;
  readonly state: InstanceState;
  /** The words of the compute system for it, for messages: `ACTIVE`, `VERIFY_RESIZE`. */
  readonly stateText: string;
  readonly guestState: GuestState;
  /**
   * Whether nobody has stopped it: it runs, or its guest is off by itself, which a compute system may also call stopped. Only
   * `get` looks so closely; false where it cannot be told.
   */
  readonly isMeantToRun: boolean;
  /** The host it is on; undefined while it is on none. */
  readonly hostName: string | undefined;
  readonly hypervisorHostname: string | undefined;
  /** The memory of its guest, which is what a live move has to send. */
  readonly memoryMiB: number;
  /** What it takes of its host, by resource class: `VCPU`, `PCPU`, `MEMORY_MB`, `DISK_GB` and others. */
  readonly resources: Readonly<Record<string, number>>;
  /** Traits that its host must have. */
  readonly requiredTraits: readonly string[];
  readonly zone: string | undefined;
  /** Why it cannot be moved while it runs: a device of the host passed through, a disk that only this host has. */
  readonly obstacles: readonly string[];
  readonly isLocked: boolean;
  /** What its owner has noted on it, and what its flavor says. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly flavorProperties: Readonly<Record<string, string>>;
  /** Why it failed, in the words of the compute system. */
  readonly fault: string | undefined;
  /** In the list of a host: it is only on its way there, and is not lost if that host is. */
  readonly isArriving?: true | undefined;
}

export interface ComputeInstances {
  /**
   * All instances of all projects on a host, with those that stand still, those that a deletion has only hidden, and those that
   * are being made there or are on their way there as far as is known: none of these has to be asked for again to come.
   */
  list(host: HostIdentity, signal: AbortSignal): Promise<readonly ComputeInstance[]>;
  /** `domainName` is what its hypervisor calls it, where that is known: some find it by that at once. */
  get(id: string, signal: AbortSignal, domainName?: string): Promise<ComputeInstance | undefined>;
  /**
   * Other hosts that are up, enabled, and have the resources, traits and zone that an instance asks for; undefined where
   * that cannot be told, which is not to say that there are none.
   */
  targets(instance: ComputeInstance, signal: AbortSignal): Promise<readonly MoveTarget[] | undefined>;
  /**
   * Starts it anew where it is, whether it runs, hangs, is off or has failed. Answers before that is done, and on a host
   * that is dead it never is.
   */
  restart(id: string, signal: AbortSignal): Promise<void>;
  /** Puts it off; one that is off already stays so. Answers before that is done. */
  stop(id: string, signal: AbortSignal): Promise<void>;
}
