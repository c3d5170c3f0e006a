import type { Hypervisor } from '@smalt/fleet-api';
import type { OVSNode } from '@smalt/ovs-api';

/** Which agents have a say in whether a hypervisor is ready. */
export interface ReadinessSettings {
  /** Whether a libvirt that the node agent cannot reach makes it not ready. */
  readonly followsLibvirt: boolean;
  /** Whether an unhealthy Open vSwitch makes it not ready. */
  readonly followsNetwork: boolean;
  /** How long trouble of either may last before it counts. */
  readonly graceMs: number;
}

/** What readiness is judged by. */
export interface ReadinessFacts {
  readonly hypervisor: Hypervisor;
  /** Open vSwitch on its node, where an agent tells of it. */
  readonly network: OVSNode | undefined;
  readonly nowMs: number;
}

/** The condition Ready of a hypervisor. */
export interface Readiness {
  readonly isReady: boolean;
  readonly reason: string;
  readonly message: string;
  /** Whether a person should look at it. */
  readonly isWarning: boolean;
  /** When to judge again though nothing has changed. */
  readonly againInMs?: number;
}

export function notReady(reason: string, message: string): Readiness {
  return { isReady: false, reason, message, isWarning: false };
}

/** The text with a full stop at its end, so that another sentence can follow. */
export function sentence(text: string): string {
  return text === '' || text.endsWith('.') ? text : `${text}.`;
}
