import type { RecoverySettings } from '../detection-settings.ts';
import type { Incident, ReservedHostUse } from '../incident/incident.ts';
import type { IncidentAction, RecoveryPlan, ReservedHostFact } from '../incident/incident-facts.ts';

type ReserveSettings = Pick<RecoverySettings, 'repeatMs' | 'reservedTimeoutMs'>;

/** Brings what is known of the reserved hosts that were taken up to what is so now. */
export function followReserved(
  incident: Incident,
  plan: RecoveryPlan | undefined,
  { reservedTimeoutMs }: ReserveSettings,
  now: number,
): Incident {
  if (incident.reserved === undefined) return incident;
  const facts = new Map(plan?.reservedHosts.map((fact) => [fact.name, fact]));
  const reserved = incident.reserved.map((use): ReservedHostUse => {
    if (use.state === 'failed') return use;
    const obstacle = obstacleOf(use, facts.get(use.host));
    if (obstacle === undefined) {
      return use.state === 'ready' ? use : { ...use, state: 'ready', since: now, message: 'it takes instances' };
    }
    const isLate = now - use.since >= reservedTimeoutMs;
    if (use.state === 'preparing' && !isLate) return { ...use, message: `it is prepared: ${obstacle}` };
    return { ...use, state: 'failed', since: now, message: obstacle };
  });
  return { ...incident, reserved };
}

function obstacleOf({ host }: ReservedHostUse, fact: ReservedHostFact | undefined): string | undefined {
  if (fact === undefined) return `${host} is not a reserved host of the segment any more`;
  if (fact.objection !== undefined) return fact.objection;
  if (!fact.isUp) return `${host} is not up`;
  if (fact.missingAggregates.length > 0) return `${host} is not in ${fact.missingAggregates.join(', ')} yet`;
  return fact.isEnabled ? undefined : `${host} is not enabled`;
}

/** The next host that can be taken, if there is one: in order, free, up, and not tried yet. */
export function nextReserved(incident: Incident, plan: RecoveryPlan | undefined): string | undefined {
  const taken = new Set(incident.reserved?.map(({ host }) => host));
  return plan?.reservedHosts.find(
    ({ name, isReserved, isUp, objection }) => isReserved && isUp && objection === undefined && !taken.has(name),
  )?.name;
}

/** Takes the next host when one is needed and none is being prepared. */
export function takeReserved(incident: Incident, plan: RecoveryPlan | undefined, now: number): Incident {
  const reserved = incident.reserved ?? [];
  const host = nextReserved(incident, plan);
  if (host === undefined || reserved.some(({ state }) => state === 'preparing')) return incident;
  const use = { host, state: 'preparing', since: now, askedAt: undefined, message: 'it is prepared' } as const;
  return { ...incident, reserved: [...reserved, use] };
}

/** What is asked of the hosts that were taken. All of it may be asked again, so a lost answer does no harm. */
export function prepareReserved(
  incident: Incident,
  plan: RecoveryPlan | undefined,
  { repeatMs }: ReserveSettings,
  now: number,
): { readonly incident: Incident; readonly actions: readonly IncidentAction[] } {
  if (incident.reserved === undefined) return { incident, actions: [] };
  const facts = new Map(plan?.reservedHosts.map((fact) => [fact.name, fact]));
  const actions: IncidentAction[] = [];
  const reserved = incident.reserved.map((use): ReservedHostUse => {
    const { host, state, askedAt } = use;
    if (state === 'failed' || (askedAt !== undefined && now - askedAt < repeatMs)) return use;
    const isNoted = facts.get(host)?.isReserved === false;
    if (state === 'ready' && isNoted) return use;
    if (!isNoted) actions.push({ kind: 'note-unreserved', host });
    const aggregates = facts.get(host)?.missingAggregates ?? [];
    if (state === 'preparing') actions.push({ kind: 'prepare-reserved', host, aggregates });
    return { ...use, askedAt: now };
  });
  return { incident: { ...incident, reserved }, actions };
}
