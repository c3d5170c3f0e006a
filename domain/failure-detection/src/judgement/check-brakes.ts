import type { BrakeSettings } from '../detection-settings.ts';
import type { HostView } from './host-view.ts';

/** Why nothing is done about a condemned host. */
export const Brake = {
  paused: 'paused',
  warmUp: 'warm-up',
  blind: 'blind',
  massFailure: 'mass-failure',
  maintenance: 'maintenance',
  held: 'held',
  notHighlyAvailable: 'not-highly-available',
  notOnboarded: 'not-onboarded',
  policy: 'policy',
  kdump: 'kdump',
  instancesUnknown: 'instances-unknown',
  noInstances: 'no-instances',
  tooManyOpen: 'too-many-open',
  failureDomain: 'failure-domain',
  interval: 'interval',
  dryRun: 'dry-run',
} as const;
export type Brake = (typeof Brake)[keyof typeof Brake];

export interface Refusal {
  readonly brake: Brake;
  /** A sentence for the record. */
  readonly message: string;
}

/** What the service knows of itself. Each `…Since` is undefined while that is out of reach. */
export interface ServiceView {
  readonly startedAt: number;
  /** Out of reach, too, is what answers and whose watch tells nothing any more. */
  readonly kubernetesSince: number | undefined;
  readonly computeSince: number | undefined;
  readonly storeSince: number | undefined;
  /** When it last opened an incident. */
  readonly lastOpenedAt: number | undefined;
}

/** The brakes that hold for every host. */
export function checkFleetBrakes(service: ServiceView, settings: BrakeSettings, now: number): Refusal | undefined {
  if (settings.isPaused)
    return refuse(Brake.paused, 'high availability is paused; nothing is done until it is resumed');
  const warmForMs = now - service.startedAt;
  if (!(warmForMs >= settings.warmUpMs)) {
    return refuse(Brake.warmUp, `the service has watched for ${warmForMs} ms of ${settings.warmUpMs}`);
  }
  const hidden = firstHidden(service, settings, now);
  return hidden === undefined ? undefined : refuse(Brake.blind, hidden);
}

function firstHidden(service: ServiceView, { sightMs }: BrakeSettings, now: number): string | undefined {
  const sights = [
    ['the Kubernetes API', service.kubernetesSince, ', or sees no lease renewed by its watch'],
    ['the compute system', service.computeSince, ''],
    ['the store', service.storeSince, ''],
  ] as const;
  for (const [what, since, doubt] of sights) {
    if (since === undefined) return `the service cannot reach ${what}${doubt}`;
    if (!(now - since >= sightMs)) return `the service has reached ${what} for ${now - since} ms of ${sightMs}`;
  }
  return undefined;
}

const HANDS_OFF = new Set(['manual', 'auto', 'termination']);

/** Whether somebody else has taken the host away on purpose. */
export function isHandsOff(maintenance: string | undefined): boolean {
  return maintenance !== undefined && HANDS_OFF.has(maintenance);
}

/** The brakes that hold for one host because of what it is. */
export function checkHostBrakes(host: HostView, now: number): Refusal | undefined {
  const { name, maintenance, kdumpUntil } = host;
  if (isHandsOff(maintenance)) {
    return refuse(Brake.maintenance, `${name} is in maintenance: ${maintenance}`);
  }
  if (host.isHeld) return refuse(Brake.held, `${name} was recovered already and has not returned since`);
  if (!host.isHighlyAvailable) return refuse(Brake.notHighlyAvailable, `${name} has highAvailability: false`);
  if (!host.isOnboarded) return refuse(Brake.notOnboarded, `${name} is not onboarded`);
  if (host.policyObjection !== undefined) return refuse(Brake.policy, host.policyObjection);
  if (kdumpUntil !== undefined && now < kdumpUntil) {
    return refuse(Brake.kdump, `${name} writes a kernel dump for at most ${kdumpUntil - now} ms more`);
  }
  // Its life would have acquitted it, if somebody had watched.
  if (host.isUnwatched === true) return refuse(Brake.blind, unwatched(name));
  // What cannot be listed could not be rebuilt either: to power it off would help nobody.
  if (host.relevantInstances === undefined) {
    return refuse(Brake.instancesUnknown, `the compute system has not told yet which instances ${name} has`);
  }
  if (host.relevantInstances > 0) return undefined;
  return refuse(Brake.noInstances, `${name} has no instances that are to be rebuilt`);
}

/** What is waited for where the compute system has not watched a host for long enough. */
export function unwatched(name: string): string {
  const wait = 'its next heartbeat, or silence for as long as one counts, is waited for';
  return `the compute system has not watched ${name} for long enough to tell whether it lives: ${wait}`;
}

export function refuse(brake: Brake, message: string): Refusal {
  return { brake, message };
}
