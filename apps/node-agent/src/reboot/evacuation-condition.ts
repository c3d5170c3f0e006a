import type { ConditionStatement } from '@smalt/controller-runtime';

import { isEvacuated, type EvacuationOutcome } from './decide-evacuation.ts';

const EVACUATE_ON_REBOOT = 'EvacuateOnReboot';
/** Few guests move away in less. */
const SHORT_MS = 60_000;

/** How the host stands towards its next reboot. */
export type RebootState =
  | { readonly kind: 'off' }
  | { readonly kind: 'unavailable'; readonly why: string }
  /** `allowedMs` is how long logind lets a shutdown be held back, where that is known. */
  | { readonly kind: 'armed'; readonly allowedMs?: number | undefined }
  | { readonly kind: 'evacuating'; readonly nodeName: string }
  | { readonly kind: 'released'; readonly outcome: EvacuationOutcome };

/** The condition that says whether guests are moved away before the host reboots. */
export function rebootCondition(state: RebootState): ConditionStatement {
  const type = EVACUATE_ON_REBOOT;
  switch (state.kind) {
    case 'off':
      return { type, status: 'False', reason: 'Off', message: 'spec.evacuateOnReboot is not set' };
    case 'unavailable': {
      const message = `A reboot of the host cannot be held back, its guests would be lost: ${state.why}`;
      return { type, status: 'False', reason: 'Unavailable', message };
    }
    case 'armed': {
      const message = `A reboot of the host waits until its guests moved away${warning(state.allowedMs)}`;
      return { type, status: 'True', reason: 'Armed', message };
    }
    case 'evacuating': {
      const message = `The host is about to reboot and waits for Eviction ${state.nodeName}`;
      return { type, status: 'True', reason: 'Evacuating', message };
    }
    case 'released':
      return { type, status: 'True', reason: 'Evacuating', message: `The host reboots: ${outcomeText(state.outcome)}` };
  }
}

function warning(allowedMs: number = Infinity): string {
  if (allowedMs >= SHORT_MS) return '';
  const allowed = `${Number((allowedMs / 1000).toFixed(1))} s`;
  return `, but logind allows ${allowed} only; set InhibitDelayMaxSec=30min in /etc/systemd/logind.conf`;
}

function outcomeText(outcome: EvacuationOutcome): string {
  if (isEvacuated(outcome)) return 'no guests are left on it';
  return `it was not emptied, ${'why' in outcome ? outcome.why : 'for reasons unknown'}`;
}
