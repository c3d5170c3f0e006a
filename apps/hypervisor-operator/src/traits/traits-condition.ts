import { HypervisorConditionReason, HypervisorConditionType } from '@smalt/fleet-api';

import type { StatedCondition } from '../frame/owned-status.ts';

const REASON = HypervisorConditionReason.TraitsUpdated;

/** What is stated once all traits are as wanted, but for those that cannot be. */
export function traitsCondition(badNames: readonly string[], unknownNames: readonly string[]): StatedCondition {
  const complaints = [
    ...badNames.map(
      (name) =>
        `spec.customTraits: "${name}" is no trait: use up to 255 of A-Z, 0-9 and _, and begin custom ones with CUSTOM_`,
    ),
    ...unknownNames.map((name) => `spec.customTraits: "${name}" is no standard trait: begin custom ones with CUSTOM_`),
  ];
  if (complaints.length > 0) return failedTraits(complaints.join('; '));
  return updated('True', REASON.succeeded, 'Traits successfully updated');
}

/** What is stated when traits could not be made as wanted. */
export function failedTraits(message: string): StatedCondition {
  return { ...updated('False', REASON.failed, message), isWarning: true };
}

function updated(status: 'True' | 'False', reason: string, message: string): StatedCondition {
  return { type: HypervisorConditionType.traitsUpdated, status, reason, message };
}
