import type { Eviction, Hypervisor } from '@smalt/fleet-api';
import type { KubernetesObject } from '@smalt/kubernetes';
import type { VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration } from '@smalt/vm-api';

/** A Node, as far as it is looked at. */
export interface FleetNode extends KubernetesObject {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly NodeCondition[] };
}

interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** How the HA service says it is. */
export interface HighAvailabilityFacts {
  readonly isPaused: boolean;
  readonly isDryRun: boolean;
  readonly blindSources: readonly string[];
  /** Incidents that only a person can bring on. */
  readonly waiting: readonly { readonly id: string; readonly host: string; readonly message: string }[];
}

/** The cluster, as its API tells it. A kind that the caller may not list, or that is not served, is undefined. */
export interface FleetFacts {
  readonly nodes: readonly FleetNode[] | undefined;
  readonly hypervisors: readonly Hypervisor[] | undefined;
  readonly evictions: readonly Eviction[] | undefined;
  readonly machines: readonly VirtualMachine[] | undefined;
  readonly instances: readonly VirtualMachineInstance[] | undefined;
  readonly migrations: readonly VirtualMachineInstanceMigration[] | undefined;
  /** Undefined where no HA service is known. */
  readonly highAvailability: HighAvailabilityFacts | { readonly trouble: string } | undefined;
  /** Kinds that could not be listed, with why. */
  readonly hidden: readonly { readonly what: string; readonly why: string }[];
}
