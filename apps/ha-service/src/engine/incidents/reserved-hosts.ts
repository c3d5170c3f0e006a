import type { ComputeHost } from '@smalt/compute';
import type { IncidentAction, RecoveryPlan, ReservedHostFact } from '@smalt/failure-detection';
import { segmentOf, type HostPlace } from '@smalt/recovery-policy';
import { messageOf } from '@smalt/service-runtime';

import { isLeadLost } from '../../ha-service-error.ts';
import type { ActionContext } from './action-context.ts';
import { call, order, type EngineContext } from '../engine-context.ts';
import type { FleetLook } from '../fleet/fleet-look.ts';
import type { FleetWatch } from '../fleet/fleet-watch.ts';

/** The documents that say which reserved hosts are used; whoever frees one deletes its document. */
const USED_RESERVED_HOST = 'used-reserved-host';

type PlanContext = EngineContext & { readonly fleet: FleetWatch };

/** How the instances of a host find a new one, with the reserved hosts of its segment as they are now. */
export async function readRecoveryPlan(
  context: PlanContext,
  place: HostPlace,
  look: FleetLook,
  signal: AbortSignal,
): Promise<RecoveryPlan | undefined> {
  const cover = segmentOf(place, look.settings.policy);
  if (cover.kind === 'excluded') return undefined;
  const { method, reservedHosts, joinsAggregates } = cover.segment;
  if (method === 'auto') return { method, reservedHosts: [] };
  const used = await call(context, 'reading reserved hosts', signal, (inner) =>
    context.ports.store.documents.list(USED_RESERVED_HOST, inner),
  );
  const wanted = joinsAggregates ? place.aggregates.map(({ name }) => name) : [];
  const names = new Set(used.map(({ key }) => key));
  const facts = await Promise.all(
    reservedHosts.map((name) => readReserved(context, { name, look, wanted, isReserved: !names.has(name) }, signal)),
  );
  return { method, reservedHosts: facts };
}

interface ReservedQuestion {
  readonly name: string;
  readonly look: FleetLook;
  /** The aggregates that it has to be in. */
  readonly wanted: readonly string[];
  readonly isReserved: boolean;
}

async function readReserved(
  context: PlanContext,
  { name, look, wanted, isReserved }: ReservedQuestion,
  signal: AbortSignal,
): Promise<ReservedHostFact> {
  const { compute } = context.ports;
  const identity = look.hosts.get(name)?.cluster?.identity ?? context.fleet.compute.named(name);
  const unknown = { name, isReserved, isUp: false, isEnabled: false, missingAggregates: [] };
  if (identity === undefined) return { ...unknown, objection: `${name} is not known to the compute system` };
  const host = await call(context, 'reading a reserved host', signal, (inner) => compute.hosts.get(identity, inner));
  if (host === undefined) return { ...unknown, objection: `${name} is not registered at the compute system` };
  const membership = await call(context, 'listing aggregates', signal, (inner) =>
    compute.aggregates.membership(host, inner),
  );
  const joined = new Set(membership.known.filter(({ id }) => membership.joined.has(id)).map((each) => each.name));
  return {
    name,
    isReserved,
    isUp: host.isUp,
    isEnabled: host.isEnabled,
    missingAggregates: wanted.filter((aggregate) => !joined.has(aggregate)),
    objection: objectionTo(name, host, look),
  };
}

function objectionTo(name: string, host: ComputeHost, look: FleetLook): string | undefined {
  const seen = look.hosts.get(name);
  const maintenance = seen?.cluster?.maintenance ?? '';
  if (maintenance !== '') return `${name} is in maintenance: ${maintenance}`;
  if (look.inIncident.has(name)) return `${name} has an incident of its own`;
  if (seen?.view.isHeld === true) return `${name} is held after an incident`;
  return host.isForcedDown ? `${name} is declared dead` : undefined;
}

/** Lets a reserved host join aggregates and enables it. What fails is asked for again by the next decision. */
export async function prepareReserved(
  context: ActionContext,
  { host, aggregates }: Extract<IncidentAction, { kind: 'prepare-reserved' }>,
  signal: AbortSignal,
): Promise<void> {
  const { compute, logger } = context.ports;
  try {
    const found = await call(context, 'finding a reserved host', signal, (inner) => compute.hosts.find(host, inner));
    if (found?.isExact !== true) throw new Error(`the compute system has no host ${host}`);
    const { known } = await call(context, 'listing aggregates', signal, (inner) =>
      compute.aggregates.membership(found, inner),
    );
    for (const aggregate of known.filter(({ name }) => aggregates.includes(name))) {
      await order(context, { what: 'joining an aggregate' }, signal, (inner) =>
        compute.aggregates.join(found, aggregate, inner),
      );
    }
    await order(context, { what: 'enabling a reserved host' }, signal, (inner) => compute.hosts.enable(found, inner));
  } catch (error) {
    if (signal.aborted || isLeadLost(error)) throw error;
    logger.warn({ host, error: messageOf(error) }, 'a reserved host could not be prepared');
  }
  context.onAnswer();
}

/** Notes for all incidents to come that a reserved host is used. */
export async function noteUnreserved(context: ActionContext, host: string, signal: AbortSignal): Promise<void> {
  const { store, logger } = context.ports;
  const content = JSON.stringify({ incidentId: context.incident.id });
  try {
    // That it is there already is what was wanted.
    await order(context, { what: 'noting a used host' }, signal, (inner) =>
      store.documents.save(USED_RESERVED_HOST, { key: host, revision: 1, content }, inner),
    );
  } catch (error) {
    if (signal.aborted || isLeadLost(error)) throw error;
    logger.warn({ host, error: messageOf(error) }, 'that a reserved host is used could not be noted');
  }
  context.onAnswer();
}
