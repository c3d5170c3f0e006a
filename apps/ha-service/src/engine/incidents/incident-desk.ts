import {
  isOver,
  openIncident,
  refuseBeside,
  type Incident,
  type OpenIncident,
  type Verdict,
} from '@smalt/failure-detection';

import { HaServiceError } from '../../ha-service-error.ts';
import { OPEN_STATES } from '../../ports/open-states.ts';
import { adopt } from './adopt.ts';
import { call, order } from '../engine-context.ts';
import type { FleetLook } from '../fleet/fleet-look.ts';
import { IncidentWorker } from './incident-worker.ts';
import type { WorkerContext } from './worker-context.ts';
import { openingLines } from './journal-lines.ts';

const MOST_OPEN = 10_000;
const ADOPTION_ATTEMPTS = 5;
/** Whoever led before may have opened one with its last words, when all had been listed already. */
const REFRESHES_PER_LIST = 4;

/** The incidents that are not over, and who works on them. The store is their only master. */
export class IncidentDesk {
  readonly #context: WorkerContext;
  readonly #workers = new Map<string, IncidentWorker>();
  /** Whether there may be incidents in the store that nobody works on. */
  #isUnsure = true;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(context: WorkerContext) {
    this.#context = context;
  }

  open(): readonly OpenIncident[] {
    const open = [...this.#workers.values()].filter(({ incident }) => !isOver(incident));
    return open.map(({ incident: { id, host, proof, state, instances }, wait }) => {
      return { id, host, proof, wait, state, instances };
    });
  }

  incidentOf(host: string): Incident | undefined {
    const incident = this.#workers.get(host)?.incident;
    return incident === undefined || isOver(incident) ? undefined : incident;
  }

  /** Whether the incident of a host reads its power. */
  isReading(host: string): boolean {
    const incident = this.#workers.get(host)?.incident;
    return incident !== undefined && !isOver(incident) && incident.state !== 'detected';
  }

  /** Takes over what is in the store and has no worker here. Rejects when the store does not answer. */
  async load(signal: AbortSignal): Promise<void> {
    const { ports, settings } = this.#context;
    const { store, clock } = ports;
    const askedAt = clock.now();
    const listAgainMs = REFRESHES_PER_LIST * settings().refreshIntervalMs;
    if (!this.#isUnsure && askedAt - this.#listedAt < listAgainMs) return;
    const [stored, lastOpenedAt] = await Promise.all([
      call(this.#context, 'listing incidents', signal, (inner) =>
        store.incidents.list({ states: OPEN_STATES, limit: MOST_OPEN }, inner),
      ),
      call(this.#context, 'reading the last incident', signal, (inner) => store.incidents.lastOpenedAt(inner)),
    ]);
    // Another run may have had a clock that was ahead of this one.
    if (lastOpenedAt !== undefined) this.#context.fleet.noteOpened(Math.min(lastOpenedAt, clock.now()));
    for (const incident of stored) {
      if (this.#workers.has(incident.host)) continue;
      // Whoever stood still would take it away from the one who leads by now.
      if (ports.isLeading?.() === false) return;
      const adopted = await this.#adopt(incident, signal);
      if (adopted !== undefined) this.#employ(adopted);
    }
    this.#isUnsure = false;
    this.#listedAt = askedAt;
  }

  /** Opens what a look says may be opened, and has the others look again. */
  async take(look: FleetLook, signal: AbortSignal): Promise<void> {
    for (const verdict of look.judgement.verdicts) {
      if (verdict.kind === 'open') await this.#open(verdict, look, signal);
    }
    for (const worker of this.#workers.values()) {
      const { state } = worker.incident;
      if (state === 'detected' || state === 'fencing') worker.wake();
    }
  }

  async #open(
    { host, judgement }: Extract<Verdict, { kind: 'open' }>,
    look: FleetLook,
    signal: AbortSignal,
  ): Promise<void> {
    const { ports, fleet } = this.#context;
    const view = look.hosts.get(host)?.view;
    if (this.#workers.has(host) || view === undefined) return;
    // Whoever stood still may find another leader who works on something that it has not heard of.
    if (ports.isLeading?.() === false) return;
    // One that waited for a person may have gone on since the look; the next one tells why this is not opened.
    const hosts = Array.from(look.hosts.values(), (seen) => seen.view);
    const { brakes } = look.settings.detection;
    if (refuseBeside(view, { hosts, openIncidents: this.open() }, brakes) !== undefined) return;
    const boot = view.boot.latest;
    const now = ports.clock.now();
    const fenceMethods = ports.power.methodsOf(host);
    const incident = openIncident(
      { id: ports.newId(), host, bootId: boot?.bootId, condemnedBy: judgement.by, fenceMethods },
      now,
    );
    // From before it is stored: if the answer is lost, the brake has to hold all the same.
    fleet.noteOpened(now);
    this.#isUnsure = true;
    const outcome = await order(this.#context, { what: 'opening an incident' }, signal, (inner) =>
      ports.store.incidents.open(incident, openingLines(incident), inner),
    );
    if (outcome === 'exists') return;
    this.#employ(incident);
    this.#isUnsure = false;
  }

  async #adopt(found: Incident, signal: AbortSignal): Promise<Incident | undefined> {
    const { store, clock } = this.#context.ports;
    let incident: Incident | undefined = found;
    for (let attempt = 1; attempt <= ADOPTION_ATTEMPTS && incident !== undefined; attempt++) {
      if (isOver(incident)) return undefined;
      const adopted = adopt(incident, clock.now());
      const outcome = await order(this.#context, { what: 'adopting an incident' }, signal, (inner) =>
        store.incidents.save(adopted, [], inner),
      );
      if (outcome === 'stored') return adopted;
      // The last words of whoever led before may arrive now.
      incident = await call(this.#context, 'reading an incident', signal, (inner) =>
        store.incidents.get(found.id, inner),
      );
    }
    if (incident === undefined) return undefined;
    throw new HaServiceError('lead-lost', `incident ${found.id} of ${found.host} is changed by another all the time`);
  }

  #employ(incident: Incident): void {
    const worker = new IncidentWorker(this.#context, incident);
    this.#workers.set(incident.host, worker);
    this.#context.background.start(`incident ${incident.id}`, async (signal) => {
      try {
        await worker.run(signal);
      } finally {
        this.#workers.delete(incident.host);
      }
    });
  }
}
