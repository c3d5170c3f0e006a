/** The ids under which the compute system knows a host. They are all that offboarding goes by: names can be alike. */
export interface HostIdentity {
  readonly hypervisorId: string;
  readonly serviceId: string;
}

/** A host as the compute system sees it. */
export interface ComputeHost extends HostIdentity {
  /** The name under which it is registered; not always the name of its node. */
  readonly name: string;
  /** Whether it may be given new instances. */
  readonly isEnabled: boolean;
  readonly disabledReason: string | undefined;
  /** Whether somebody has declared it dead, whatever it says itself. */
  readonly isForcedDown: boolean;
  /** Whether it has been heard of lately; never while it is declared dead. */
  readonly isUp: boolean;
  /** Whether it is up only for want of a second look: it may have been dead for long, so `isUp` is no sign of life. */
  readonly isUnwatched?: true | undefined;
  /** Another text as soon as it has shown life again; left out where the compute system tells no such thing. */
  readonly lifeSign?: string | undefined;
  readonly zone: string | undefined;
}

/** A host that was looked for by its name. */
export interface FoundHost extends ComputeHost {
  /** Whether it is registered under that very name; else the name merely stands for it, and may be meant for another. */
  readonly isExact: boolean;
}

/** A host that could take an instance, with what it has left. */
export interface MoveTarget {
  readonly hypervisorId: string;
  readonly name: string;
  /** By resource class. Of a class that it lacks, such as disk that many hosts share, nothing is counted. */
  readonly free: Readonly<Record<string, number>>;
}

/** What of a registration is still there after an attempt to remove it. */
export type Deregistration =
  | { readonly kind: 'done' }
  /** Something has to go first; `message` says what, and how to find it. */
  | { readonly kind: 'blocked'; readonly message: string };

export interface ComputeHosts {
  /**
   * The host with exactly this name. Where there is none, the only one for which the name stands, and that is not
   * `isExact`: a name and its first part, up to the dot, stand for each other. Several are `refused`.
   */
  find(name: string, signal: AbortSignal): Promise<FoundHost | undefined>;
  /** The host as it is now, or undefined when it is not registered. */
  get(host: HostIdentity, signal: AbortSignal): Promise<ComputeHost | undefined>;
  /** All hosts as they are now, in as few calls as there can be. One that cannot be reached is missing, not gone. */
  list(signal: AbortSignal): Promise<readonly ComputeHost[]>;
  /**
   * Declares a host dead, whatever it says itself. Only for one that is proved to be off. Where the last sign of life before that
   * is named, one that shows another is `stale`.
   */
  forceDown(host: HostIdentity & Pick<ComputeHost, 'lifeSign'>, signal: AbortSignal): Promise<void>;
  /** Takes that back; whether it may take instances stays as it is. */
  clearForcedDown(host: HostIdentity, signal: AbortSignal): Promise<void>;
  /**
   * Lets it take instances again, and takes back that it was declared dead. One that is not up yet may be left out by the
   * compute system all the same: wait for `isUp` first.
   */
  enable(host: HostIdentity, signal: AbortSignal): Promise<void>;
  /** Keeps it from taking instances. Of the reason is kept what `reasonAsKept` says. */
  disable(host: HostIdentity, reason: string, signal: AbortSignal): Promise<void>;
  /**
   * Removes the registration by its ids, in steps that may be repeated: what is gone already is no failure, and what was
   * interrupted goes on. Never removes a host that has instances.
   */
  deregister(host: HostIdentity, signal: AbortSignal): Promise<Deregistration>;
}
