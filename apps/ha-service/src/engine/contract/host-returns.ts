import type { ComputeHost } from '@smalt/compute';
import { decideReturn, type Incident, type ReturnStep, type ReturnView } from '@smalt/failure-detection';

import { JournalKind, type JournalEntry } from '../../ports/incident-store.ts';
import type { ClusterHost } from '../../ports/cluster-port.ts';
import { call, type EngineContext } from '../engine-context.ts';
import { evacuationsSince } from '../evacuations-since.ts';
import type { FleetLook, SeenHost } from '../fleet/fleet-look.ts';
import type { FleetWatch } from '../fleet/fleet-watch.ts';
import { carryOutReturn } from './carry-out-return.ts';
import { HeldMarks } from './held-marks.ts';

const MOST_AT_ONCE = 4;

type ReturnContext = EngineContext & { readonly fleet: FleetWatch };

interface Held {
  readonly incident: Incident;
  dueAt: number;
  /** The last step that was told. */
  told: string | undefined;
  /** Whether it is stored that `spec.maintenance` was `ha` since it is held. */
  wasMarked: boolean;
}

/** Brings hosts back after their incidents, step by step, and only as far as they are let. */
export class HostReturns {
  readonly #context: ReturnContext;
  readonly #marks: HeldMarks;
  readonly #held = new Map<string, Held>();

  constructor(context: ReturnContext) {
    this.#context = context;
    this.#marks = new HeldMarks(context);
  }

  /** The incident after which a host is held; undefined while it is not known. */
  incidentOf(host: string): Incident | undefined {
    return this.#held.get(host)?.incident;
  }

  /** Whether a host that is held was seen to be marked as such: who clears the mark then has let it go. */
  isMarked(host: string): boolean {
    return this.#held.get(host)?.wasMarked === true;
  }

  /** Begins what is due for the hosts that are held. */
  take(look: FleetLook): void {
    const { background, ports } = this.#context;
    for (const [name, { incident }] of this.#held) {
      if (look.hosts.get(name)?.record?.heldBy !== incident.id) this.#held.delete(name);
    }
    for (const [name, seen] of look.hosts) {
      const heldBy = seen.record?.heldBy;
      if (heldBy === undefined || look.inIncident.has(name)) continue;
      if (background.count('return ') >= MOST_AT_ONCE) return;
      const held = this.#held.get(name);
      const isNewlyMarked = held?.wasMarked === false && seen.cluster?.maintenance === 'ha';
      if (held !== undefined && !isNewlyMarked && ports.clock.now() < held.dueAt) continue;
      background.start(`return ${name}`, (signal) => this.#advance(name, heldBy, { seen, look }, signal));
    }
  }

  async #advance(
    name: string,
    heldBy: string,
    { seen, look }: { readonly seen: SeenHost; readonly look: FleetLook },
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#context.ports;
    const held = this.#held.get(name) ?? (await this.#load(name, heldBy, signal));
    if (held === undefined) return;
    held.dueAt = clock.now() + look.settings.refreshIntervalMs;
    if (!held.wasMarked && seen.cluster?.maintenance === 'ha') {
      await this.#marks.set(name, heldBy, signal);
      held.wasMarked = true;
    }
    const host = await this.#computeHost(seen.cluster, signal);
    if (host === undefined) return;
    const view = await this.#view(held, host, { seen, look }, signal);
    const step = decideReturn(view, look.settings.detection.hostReturn, clock.now());
    await carryOutReturn({ ...this.#context, marks: this.#marks }, step, { host, name }, signal);
    await this.#tell(held, step, signal);
  }

  async #load(name: string, heldBy: string, signal: AbortSignal): Promise<Held | undefined> {
    const { store } = this.#context.ports;
    const incident = await call(this.#context, 'reading an incident', signal, (inner) =>
      store.incidents.get(heldBy, inner),
    );
    if (incident === undefined) return undefined;
    const wasMarked = await this.#marks.has(name, heldBy, signal);
    const held = { incident, dueAt: 0, told: undefined, wasMarked };
    this.#held.set(name, held);
    return held;
  }

  async #computeHost(cluster: ClusterHost | undefined, signal: AbortSignal): Promise<ComputeHost | undefined> {
    const identity = cluster?.identity;
    if (identity === undefined) return undefined;
    const { compute } = this.#context.ports;
    return await call(this.#context, 'reading a host', signal, (inner) => compute.hosts.get(identity, inner));
  }

  async #view(
    held: Held,
    host: ComputeHost,
    { seen, look }: { readonly seen: SeenHost; readonly look: FleetLook },
    signal: AbortSignal,
  ): Promise<ReturnView> {
    const { ports, fleet } = this.#context;
    const { incident } = held;
    const since = evacuationsSince(incident, look.at);
    const [decisions, evacuations] = await Promise.all([
      call(this.#context, 'reading decisions', signal, (inner) => ports.store.incidents.decisions(incident.id, inner)),
      call(this.#context, 'listing evacuations', signal, (inner) => ports.compute.evacuations.list(host, since, inner)),
    ]);
    const word = decisions.find(({ kind, host: named }) => kind === 'release' && named === incident.host);
    const isCleared = held.wasMarked && seen.cluster?.maintenance === '';
    const by = word?.by ?? (isCleared ? 'whoever cleared spec.maintenance' : undefined);
    return {
      incident,
      judgement: look.judgement.judgements.get(incident.host),
      bootId: seen.view.boot.latest?.bootId,
      isForcedDown: host.isForcedDown,
      isEnabled: host.isEnabled,
      maintenance: seen.cluster?.maintenance,
      isLifecycleEnabled: seen.cluster?.isLifecycleEnabled === true,
      upSince: fleet.compute.upSince(host),
      openEvacuations: evacuations.filter((each) => each.state === 'open' || (each.state === 'done' && !each.isCleared))
        .length,
      release: by === undefined ? undefined : { by, host: incident.host, incidentId: incident.id },
    };
  }

  async #tell(held: Held, step: ReturnStep, signal: AbortSignal): Promise<void> {
    const { ports } = this.#context;
    const told = step.kind === 'hold' ? step.message : step.kind;
    if (told === held.told) return;
    const { host, id } = held.incident;
    const entry: JournalEntry = {
      at: ports.clock.now(),
      kind: JournalKind.hostReturn,
      severity: step.kind === 'hold' ? 'warning' : 'info',
      host,
      incidentId: id,
      instanceId: undefined,
      message: sentenceOf(host, step),
      by: undefined,
    };
    await call(this.#context, 'telling of a return', signal, (inner) => ports.store.journal.append([entry], inner));
    held.told = told;
  }
}

function sentenceOf(host: string, step: ReturnStep): string {
  switch (step.kind) {
    case 'hold':
      return `${host} does not return: ${step.message}`;
    case 'wait':
      return `${host} does not return yet: ${step.message}`;
    case 'clear-forced-down':
      return `${host} is not called dead any more`;
    case 'clear-maintenance':
      return `${host} is given back: spec.maintenance is cleared`;
    case 'enable':
      return `${host} is enabled`;
    case 'returned':
      return `${host} has returned`;
  }
}
