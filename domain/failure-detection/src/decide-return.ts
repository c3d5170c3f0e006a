import type { ReturnSettings } from './detection-settings.ts';
import { isOver, type Incident } from './incident/incident.ts';
import type { Judgement } from './judgement/judgement.ts';

/** What is known of a host that may come back. */
export interface ReturnView {
  readonly incident: Incident;
  readonly judgement: Judgement | undefined;
  /** The boot it is in now. */
  readonly bootId: string | undefined;
  readonly isForcedDown: boolean;
  readonly isEnabled: boolean;
  /** The word in `spec.maintenance`, and whether the operator enables the host once that is empty. */
  readonly maintenance: string | undefined;
  readonly isLifecycleEnabled: boolean;
  /** Since when its compute service has been up; undefined while it is not. */
  readonly upSince: number | undefined;
  /** Evacuations whose remains on the host are not cleared away yet. */
  readonly openEvacuations: number;
  /** A person's word that it may return, for this host and this incident. */
  readonly release: { readonly by: string; readonly host: string; readonly incidentId: string } | undefined;
}

/** One step on the way back. `hold` is for a person, `wait` passes by itself. */
export type ReturnStep =
  | { readonly kind: 'hold'; readonly message: string }
  | { readonly kind: 'wait'; readonly message: string }
  | { readonly kind: 'clear-forced-down' }
  /** Where the operator looks after hosts it enables this one then. */
  | { readonly kind: 'clear-maintenance' }
  | { readonly kind: 'enable' }
  | { readonly kind: 'returned' };

/**
 * Brings a repaired host back in two steps: first it is no longer called dead, then, when its service has been up for a
 * while and has cleared its remains, it is enabled, or handed to the operator that does. After a failed recovery only a
 * person may let it.
 */
export function decideReturn(view: ReturnView, settings: ReturnSettings, now: number): ReturnStep {
  const { incident, judgement, isForcedDown, upSince } = view;
  const objection = objectionTo(view, settings);
  if (objection !== undefined) return { kind: 'hold', message: objection };
  if (incident.state === 'acquitted' || (!isForcedDown && isBack(view))) {
    return { kind: view.maintenance === OURS ? 'clear-maintenance' : 'returned' };
  }
  if (judgement?.kind !== 'alive') return { kind: 'wait', message: `${incident.host} shows no sign of life yet` };
  if (isForcedDown) return { kind: 'clear-forced-down' };
  if (upSince === undefined) return { kind: 'wait', message: 'its compute service is not up yet' };
  if (view.openEvacuations > 0) {
    return { kind: 'wait', message: `the remains of ${view.openEvacuations} instances are not cleared away yet` };
  }
  if (now - upSince < settings.steadyMs) {
    return { kind: 'wait', message: `its compute service has been up for ${now - upSince} ms of ${settings.steadyMs}` };
  }
  if (!view.isLifecycleEnabled) return { kind: 'enable' };
  if (view.maintenance === OURS) return { kind: 'clear-maintenance' };
  return { kind: 'wait', message: 'the operator has not enabled it yet' };
}

/** The word in `spec.maintenance` that is ours. */
const OURS = 'ha';

/** Whether it takes instances again, or did not before either: then somebody wanted it so. */
function isBack({ isEnabled, incident, isLifecycleEnabled }: ReturnView): boolean {
  return isEnabled || (incident.wasEnabled === false && !isLifecycleEnabled);
}

function objectionTo(view: ReturnView, settings: ReturnSettings): string | undefined {
  const { incident, bootId, release, maintenance = '' } = view;
  if (!isOver(incident)) return 'its incident is not over';
  if (maintenance !== '' && maintenance !== OURS) return `it is in maintenance: ${maintenance}`;
  if (release !== undefined && release.host === incident.host && release.incidentId === incident.id) return undefined;
  // Nothing was done to a host that was acquitted, so there is nothing to take back.
  if (incident.state === 'acquitted') return undefined;
  if (incident.state !== 'recovered') return `its recovery ended as ${incident.state}: a person has to release it`;
  if (!settings.isAutomatic) return 'hosts return only when a person releases them';
  if (bootId === undefined || incident.bootId === undefined) return 'it is not known whether it has booted since';
  // It was proved to be off and yet goes on where it was: the proof was wrong.
  return bootId === incident.bootId ? 'it is still in the boot in which it failed' : undefined;
}
