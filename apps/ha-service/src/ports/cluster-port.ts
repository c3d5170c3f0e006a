import type { ConditionStatement } from '@smalt/controller-runtime';
import type { HostIdentity } from '@smalt/compute';

/** A host as its Hypervisor object and its Node tell it. */
export interface ClusterHost {
  readonly name: string;
  /** Its ids in the compute system, once the operator has found it there. */
  readonly identity: HostIdentity | undefined;
  readonly maintenance: string;
  readonly isHighlyAvailable: boolean;
  readonly isLifecycleEnabled: boolean;
  readonly isOnboarded: boolean;
  /** The label by which hosts are said to fail together, and the zone. */
  readonly failureDomain: string | undefined;
  readonly zone: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** The reason of `Onboarding`, and the status of `Evicting`; undefined when it has no such condition. */
  readonly onboardingReason: string | undefined;
  readonly evicting: string | undefined;
  /** What this service has stated: to see whether it is still so. */
  readonly haEnabled: ConditionStatement | undefined;
  readonly hypervisorDisabled: ConditionStatement | undefined;
  /** When its Node's lease was seen to change for the last time, in service time; 0 if it did so before we looked. */
  readonly leaseAliveAt: number | undefined;
  readonly bmcAddress: string | undefined;
  /** Whether its object is being deleted, or it was offboarded. */
  readonly isLeaving?: boolean | undefined;
  /** The internal address of its node. */
  readonly internalAddress?: string | undefined;
}

export interface ClusterView {
  readonly hosts: readonly ClusterHost[];
  /** Since when the API server has been within reach; undefined while it is not. */
  readonly reachableSince: number | undefined;
}

/** The Kubernetes side of the fleet: what it says, and the few fields that are ours to write. */
export interface ClusterPort {
  view(): ClusterView;
  /** Sets `spec.maintenance` to `ha`, or takes that back; any other word in it stays, and is an error of code `conflict`. */
  setMaintenance(host: string, wanted: 'ha' | '', signal: AbortSignal): Promise<void>;
  /**
   * Sets `spec.maintenance` to `ha` for an order to power the host off. Goes by the object as it is now, not by what was seen of
   * it: where that leaves the host to others, or takes it out of the watch, it is an error of code `conflict`.
   */
  claim(host: string, signal: AbortSignal): Promise<void>;
  /** States all conditions that are ours on a host. */
  state(host: string, conditions: readonly ConditionStatement[], signal: AbortSignal): Promise<void>;
}
