import type { ConditionStatement } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType } from '@smalt/fleet-api';

const { OperatingSystemUpdate: Reason } = HypervisorConditionReason;

/** How far the update of the operating system is. */
export type UpdateState =
  | { readonly kind: 'running'; readonly version: string }
  /** `reboot` tells about the reboot that follows, if one is wanted. */
  | { readonly kind: 'installed'; readonly version: string; readonly reboot?: string }
  | { readonly kind: 'stopped'; readonly why: string; readonly next: string };

/** The condition that tells people how far the update is, and what they may do. */
export function updateCondition(state: UpdateState): ConditionStatement {
  const type = HypervisorConditionType.operatingSystemUpdate;
  switch (state.kind) {
    case 'running': {
      const message = `Operating system update to ${state.version} is running`;
      return { type, status: 'True', reason: Reason.running, message };
    }
    case 'installed': {
      const reboot = state.reboot === undefined ? '' : `; ${state.reboot}`;
      const message = `Operating system update ${state.version} is installed${reboot}`;
      return { type, status: 'True', reason: Reason.completed, message };
    }
    case 'stopped':
      return { type, status: 'False', reason: Reason.stopped, message: `${state.why}; ${state.next}` };
  }
}
