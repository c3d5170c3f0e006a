import {
  Brake,
  checkFleetBrakes,
  checkHostBrakes,
  isHandsOff,
  refuse,
  type Refusal,
  type ServiceView,
} from './check-brakes.ts';
import type { BrakeSettings, DetectionSettings } from '../detection-settings.ts';
import type { HostView } from './host-view.ts';
import type { Incident } from '../incident/incident.ts';
import { judgeHost, lastLifeAt } from './judge-host.ts';
import type { Judgement } from './judgement.ts';
import { MissingHosts, type MissingHost } from './missing-hosts.ts';
import { someOf } from './some-of.ts';

/** An incident that is not over, as far as the fleet goes by it. */
export interface OpenIncident
  extends Pick<Incident, 'id' | 'host'>, Partial<Pick<Incident, 'proof' | 'wait' | 'state' | 'instances'>> {}

export interface FleetView {
  readonly hosts: readonly HostView[];
  readonly service: ServiceView;
  readonly openIncidents: readonly OpenIncident[];
}

/** What may be done about a condemned host. */
export type Verdict =
  | { readonly kind: 'open'; readonly host: string; readonly judgement: Condemned }
  /** Its incident is open already: it may go on to the fence. */
  | { readonly kind: 'proceed'; readonly host: string; readonly incidentId: string; readonly judgement: Condemned }
  | { readonly kind: 'refuse'; readonly host: string; readonly refusal: Refusal; readonly judgement: Condemned };
export type Condemned = Extract<Judgement, { kind: 'condemned' }>;

export interface FleetJudgement {
  readonly judgements: ReadonlyMap<string, Judgement>;
  /** One for each condemned host. */
  readonly verdicts: readonly Verdict[];
  /** Whether as many hosts are missing as may be, so that another one that is lost now would not be recovered. */
  readonly isBrakeUsedUp: boolean;
}

/** Judges every host, and says which of the condemned may be recovered: at most one new one at a time. */
export function judgeFleet(view: FleetView, settings: DetectionSettings, now: number): FleetJudgement {
  const judgements = new Map<string, Judgement>();
  const condemned: { readonly host: HostView; readonly judgement: Condemned }[] = [];
  const incidents = new Map(view.openIncidents.map((incident) => [incident.host, incident]));
  const lost: MissingHost[] = [];
  let hosts = 0;
  for (const host of view.hosts) {
    const judgement = judgeHost(host, settings.judgement, now);
    judgements.set(host.name, judgement);
    if (judgement.kind === 'condemned') condemned.push({ host, judgement });
    if (isLeftAlone(host)) continue;
    hosts += 1;
    if (judgement.kind === 'alive' || isExplained(host, incidents.get(host.name))) continue;
    lost.push({ name: host.name, lastLifeAt: lossOf(host, view, settings) });
  }
  const missing = new MissingHosts(lost, hosts, windowOf(view.service, settings.brakes, now));
  const open = openByDomain(view.hosts, incidents);
  const gate = createGate({ view, settings, now, missing, open });
  // Those that died first come first; names make the order the same every time.
  condemned.sort((a, b) => a.judgement.since - b.judgement.since || (a.host.name < b.host.name ? -1 : 1));
  const verdicts = condemned.map(({ host, judgement }): Verdict => {
    const incidentId = incidents.get(host.name)?.id;
    const refusal = gate(host, incidentId !== undefined);
    if (refusal !== undefined) return { kind: 'refuse', host: host.name, refusal, judgement };
    if (incidentId !== undefined) return { kind: 'proceed', host: host.name, incidentId, judgement };
    return { kind: 'open', host: host.name, judgement };
  });
  return { judgements, verdicts, isBrakeUsedUp: missing.isUsedUp(now, slowestMs(settings)) };
}

/** When a host was last seen to live. One of which nobody has seen when it did is missed since the service began to watch. */
function lossOf({ signals }: HostView, { service }: FleetView, { judgement }: DetectionSettings): number {
  return lastLifeAt({ signals: signals.filter(({ isUndated }) => isUndated !== true) }, judgement) ?? service.startedAt;
}

/** What the store tells of times before the start may be old: until one window is watched, all that are missing are so at once. */
function windowOf({ startedAt }: ServiceView, brakes: BrakeSettings, now: number): BrakeSettings {
  return now - startedAt >= brakes.missingWindowMs ? brakes : { ...brakes, missingWindowMs: Number.POSITIVE_INFINITY };
}

/** How long a host may be missing before that says more than that it reboots, or that an answer is late. */
function slowestMs({ judgement }: DetectionSettings): number {
  return Math.max(...Object.values(judgement.rules).map(({ deadAfterMs }) => deadAfterMs));
}

/** Nobody would do anything about it, so for how long it has been dead says nothing of what happens now. */
function isLeftAlone({ isOnboarded, isHighlyAvailable, policyObjection }: HostView): boolean {
  return !isOnboarded || !isHighlyAvailable || policyObjection !== undefined;
}

/**
 * A host that somebody took away is not missed, nor is one that is proved to be off. Our own mark explains nothing, and no more
 * does a call for a person: what cannot be fenced may be cut off, and the next one may be by the same cause.
 */
function isExplained({ isHeld, maintenance }: HostView, incident: OpenIncident | undefined): boolean {
  return isHeld || isHandsOff(maintenance) || incident?.proof !== undefined;
}

/** The hosts that are being recovered now. */
function openByDomain(hosts: readonly HostView[], incidents: ReadonlyMap<string, OpenIncident>): OpenHosts {
  const active = new Set<string>();
  for (const incident of incidents.values()) if (isActive(incident)) active.add(incident.host);
  const domains = new Map<string, string[]>();
  for (const host of active.size === 0 ? [] : hosts) {
    if (!active.has(host.name)) continue;
    const others = domains.get(domainOf(host));
    if (others === undefined) domains.set(domainOf(host), [host.name]);
    else others.push(host.name);
  }
  return { all: [...active], domains };
}

/** What waits for a person may do so all night, and what waits for an instance that was being moved for as long as that takes. */
function isActive({ wait, state, instances = [] }: OpenIncident): boolean {
  if (wait?.needsPerson === true) return false;
  const left = instances.filter((each) => each.state === 'pending' || each.state === 'asked');
  const isPassing = left.length > 0 && left.every((each) => each.passesSince !== undefined && each.state === 'pending');
  return state !== 'rebuilding' || !isPassing;
}

function domainOf({ failureDomain }: HostView): string {
  return failureDomain ?? '';
}

interface GateInput {
  readonly view: FleetView;
  readonly settings: DetectionSettings;
  readonly now: number;
  readonly missing: MissingHosts;
  readonly open: OpenHosts;
}

/** The hosts under recovery, in all and by failure domain. */
interface OpenHosts {
  readonly all: readonly string[];
  readonly domains: ReadonlyMap<string, readonly string[]>;
}

/** Lets hosts pass one after the other, and remembers whom it let pass. */
function createGate({ view, settings, now, missing, open }: GateInput) {
  const { brakes } = settings;
  const ofFleet = checkFleetBrakes(view.service, brakes, now);
  let { lastOpenedAt } = view.service;
  return (host: HostView, isOpen: boolean): Refusal | undefined => {
    const lost = { name: host.name, lastLifeAt: lossOf(host, view, settings) };
    const refusal = ofFleet ?? missing.refusalFor(lost) ?? checkHostBrakes(host, now);
    if (refusal !== undefined || isOpen) return refusal ?? dryRun(host, brakes.isDryRun);
    const refused = refuseOthers(host, open, brakes) ?? refuseHaste(lastOpenedAt, brakes, now);
    if (refused !== undefined) return refused;
    lastOpenedAt = now;
    return dryRun(host, brakes.isDryRun);
  };
}

/** Others are being recovered: in all, or in the same failure domain. */
function refuseOthers(host: HostView, open: OpenHosts, brakes: BrakeSettings): Refusal | undefined {
  const { maximumOpen, maximumOpenPerDomain } = brakes;
  if (open.all.length >= maximumOpen) {
    const what = `${open.all.length} hosts are being recovered, at most ${maximumOpen} may be`;
    return refuse(Brake.tooManyOpen, `${host.name} waits: ${what}: ${someOf(open.all)}`);
  }
  const inDomain = open.domains.get(domainOf(host)) ?? [];
  if (inDomain.length < maximumOpenPerDomain) return undefined;
  const domain = host.failureDomain === undefined ? 'no failure domain' : `failure domain ${host.failureDomain}`;
  const what = `${inDomain.length} hosts of ${domain} are being recovered, at most ${maximumOpenPerDomain} may be`;
  return refuse(Brake.failureDomain, `${host.name} waits: ${what}: ${someOf(inDomain)}`);
}

function refuseHaste(
  lastOpenedAt: number | undefined,
  { intervalMs }: BrakeSettings,
  now: number,
): Refusal | undefined {
  if (lastOpenedAt === undefined || (now - lastOpenedAt >= intervalMs && now > lastOpenedAt)) return undefined;
  return refuse(Brake.interval, `another incident was opened ${now - lastOpenedAt} ms ago, not ${intervalMs}`);
}

/** Why a host may not be recovered beside those that are being now, if so: they may be more than when it was judged. */
export function refuseBeside(
  host: HostView,
  { hosts, openIncidents }: Pick<FleetView, 'hosts' | 'openIncidents'>,
  brakes: BrakeSettings,
): Refusal | undefined {
  const incidents = new Map(openIncidents.map((incident) => [incident.host, incident]));
  return refuseOthers(host, openByDomain(hosts, incidents), brakes);
}

function dryRun(host: HostView, isDryRun: boolean): Refusal | undefined {
  return isDryRun ? refuse(Brake.dryRun, `${host.name} would be recovered, but this is a dry run`) : undefined;
}
