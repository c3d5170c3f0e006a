import {
  Brake,
  checkFleetBrakes,
  checkHostBrakes,
  refuse,
  type FleetCount,
  type Refusal,
  type ServiceView,
} from './check-brakes.ts';
import type { DetectionSettings } from './detection-settings.ts';
import type { HostView } from './host-view.ts';
import { judgeHost } from './judge-host.ts';
import type { Judgement } from './judgement.ts';

/** An incident that is not over, as far as the fleet goes by it. */
export interface OpenIncident {
  readonly id: string;
  readonly host: string;
}

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
}

/** Judges every host, and says which of the condemned may be recovered: at most one new one at a time. */
export function judgeFleet(view: FleetView, settings: DetectionSettings, now: number): FleetJudgement {
  const judgements = new Map<string, Judgement>();
  const condemned: { readonly host: HostView; readonly judgement: Condemned }[] = [];
  const incidents = new Map(view.openIncidents.map(({ host, id }) => [host, id]));
  let missing = 0;
  for (const host of view.hosts) {
    const judgement = judgeHost(host, settings.judgement, now);
    judgements.set(host.name, judgement);
    if (judgement.kind !== 'alive' && isUnexplained(host)) missing += 1;
    if (judgement.kind === 'condemned') condemned.push({ host, judgement });
  }
  const count = { hosts: view.hosts.length, missing };
  const open = openByDomain(view.hosts, incidents);
  const gate = createGate({ view, settings, now, count, open });
  // Those that died first come first; names make the order the same every time.
  condemned.sort((a, b) => a.judgement.since - b.judgement.since || (a.host.name < b.host.name ? -1 : 1));
  const verdicts = condemned.map(({ host, judgement }): Verdict => {
    const incidentId = incidents.get(host.name);
    const refusal = gate(host, incidentId !== undefined);
    if (refusal !== undefined) return { kind: 'refuse', host: host.name, refusal, judgement };
    if (incidentId !== undefined) return { kind: 'proceed', host: host.name, incidentId, judgement };
    return { kind: 'open', host: host.name, judgement };
  });
  return { judgements, verdicts };
}

/** A host that somebody took away, or that was never there, is not missed; nor is one that we have proved to be off. */
function isUnexplained(host: HostView): boolean {
  return host.isOnboarded && !host.isHeld && (host.maintenance ?? '') === '';
}

function openByDomain(
  hosts: readonly HostView[],
  incidents: ReadonlyMap<string, string>,
): { readonly total: number; readonly domains: Map<string, number> } {
  const domains = new Map<string, number>();
  for (const host of hosts) {
    if (incidents.has(host.name)) domains.set(domainOf(host), (domains.get(domainOf(host)) ?? 0) + 1);
  }
  return { total: incidents.size, domains };
}

function domainOf({ failureDomain }: HostView): string {
  return failureDomain ?? '';
}

interface GateInput {
  readonly view: FleetView;
  readonly settings: DetectionSettings;
  readonly now: number;
  readonly count: FleetCount;
  readonly open: { readonly total: number; readonly domains: ReadonlyMap<string, number> };
}

/** Lets hosts pass one after the other, and remembers whom it let pass. */
function createGate({ view, settings, now, count, open }: GateInput) {
  const { brakes } = settings;
  const ofFleet = checkFleetBrakes(view.service, count, brakes, now);
  let { lastOpenedAt } = view.service;
  return (host: HostView, isOpen: boolean): Refusal | undefined => {
    const refusal = ofFleet ?? checkHostBrakes(host, now);
    if (refusal !== undefined || isOpen) return refusal ?? dryRun(host, brakes.isDryRun);
    if (open.total >= brakes.maximumOpen) {
      return refuse(Brake.tooManyOpen, `${open.total} hosts are being recovered, at most ${brakes.maximumOpen} may be`);
    }
    const inDomain = open.domains.get(domainOf(host)) ?? 0;
    if (inDomain >= brakes.maximumOpenPerDomain) {
      return refuse(Brake.failureDomain, `${inDomain} hosts of failure domain ${domainOf(host)} are being recovered`);
    }
    if (lastOpenedAt !== undefined && !(now - lastOpenedAt >= brakes.intervalMs && now > lastOpenedAt)) {
      return refuse(Brake.interval, `another incident was opened less than ${brakes.intervalMs} ms ago`);
    }
    lastOpenedAt = now;
    return dryRun(host, brakes.isDryRun);
  };
}

function dryRun(host: HostView, isDryRun: boolean): Refusal | undefined {
  return isDryRun ? refuse(Brake.dryRun, `${host.name} would be recovered, but this is a dry run`) : undefined;
}
