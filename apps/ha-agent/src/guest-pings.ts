import { setTimeout as delay } from 'node:timers/promises';

import { isReportedDomain, type ReportSettings, type TelemetryEvent } from '@smalt/ha-telemetry';
import { ConnectListAllDomainsFlags, isConnectionLost, type Domain } from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';

import { Doorbell } from './doorbell.ts';
import { doubtedPulse, isTold, nextPulse, unknownPulse, type GuestPulse } from './guest-pulse.ts';
import type { HaAgentDeps } from './ha-agent-deps.ts';
import type { HaMetrics } from './ha-metrics.ts';
import { pingGuest, readAgentConnected } from './ping-guest.ts';
import { telemetryDomain } from './telemetry-event-of.ts';

/** A daemon serves five calls of a connection at a time; silent guests must leave room for everybody else. */
const MOST_AT_ONCE = 2;
/** No more than fifty guests are asked in a second. */
const SPACING_MS = 20;
const LIST_TIMEOUT_MS = 10_000;

export interface GuestPingsDeps {
  readonly session: Pick<
    HaAgentDeps['session'],
    'connectListAllDomains' | 'domainGetJobInfo' | 'domainGetState' | 'domainGetXmlDesc' | 'qemuDomainAgentCommand'
  >;
  readonly settings: () => ReportSettings;
  readonly metrics: Pick<HaMetrics, 'guestPings'>;
  readonly ignore: Ignore;
  readonly now: () => Date;
  readonly onEvent: (event: TelemetryEvent) => void;
}

interface KnownGuest {
  /** Another one after every start. */
  readonly id: number;
  /** Whether an agent holds its channel open; undefined until that was looked up. */
  readonly isConnected: boolean | undefined;
  readonly pulse: GuestPulse;
}

/** Asks the agents in the guests of the host again and again, and tells which of them have fallen silent. */
export class GuestPings {
  readonly #deps: GuestPingsDeps;
  readonly #bell = new Doorbell();
  readonly #guests = new Map<string, KnownGuest>();

  constructor(deps: GuestPingsDeps) {
    this.#deps = deps;
  }

  /** How many guests are silent, as the service was told. */
  get silent(): number {
    return [...this.#guests.values()].filter(({ pulse }) => isTold(pulse)).length;
  }

  /** Asks until the signal fires, from when events are heard. */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#bell.wait(signal);
      if (signal.aborted) return;
      const startedAt = performance.now();
      try {
        await this.#round(startedAt, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#deps.ignore(error, 'the guests cannot be asked, it is tried again');
      }
      const { guestPingSeconds } = this.#deps.settings().intervals;
      this.#bell.ring(Math.max(0, startedAt + guestPingSeconds * 1000 - performance.now()));
    }
  }

  /** Takes in what happens to a guest: what is heard counts, what was under way before it does not. */
  heard(event: TelemetryEvent): void {
    const { uuid, id } = event.domain;
    const known = this.#guests.get(uuid);
    if (event.kind === 'agent-lifecycle' && id !== undefined) {
      const pulse = known?.id === id ? doubtedPulse(known.pulse) : unknownPulse;
      this.#guests.set(uuid, { id, isConnected: event.state === 'connected', pulse });
      return;
    }
    const isNew = event.kind === 'lifecycle' && event.event !== 'defined' && event.event !== 'undefined';
    if (known !== undefined && (isNew || event.kind === 'reboot')) this.#guests.set(uuid, doubted(known));
  }

  /** Events may have been missed, or could not be heard before now: everything is looked up again. */
  doubtAll(): void {
    for (const [uuid, known] of this.#guests) this.#guests.set(uuid, doubted(known));
    this.#bell.ring(0);
  }

  /** Begins the next round no later than the settings say. */
  settingsChanged(): void {
    this.#bell.ring(this.#deps.settings().intervals.guestPingSeconds * 1000);
  }

  async #round(startedAt: number, signal: AbortSignal): Promise<void> {
    const settings = this.#deps.settings();
    if (!settings.events['guest-ping'].isReported) {
      this.#guests.clear();
      return;
    }
    const running = await this.#listRunning(settings, signal);
    const queue = running.filter(({ uuid }) => this.#guests.get(uuid)?.isConnected !== false);
    let asked = 0;
    const ask = async (): Promise<void> => {
      while (asked < queue.length) {
        const turn = asked++;
        const waitMs = startedAt + turn * SPACING_MS - performance.now();
        if (waitMs > 0) await delay(waitMs, undefined, { signal });
        const domain = queue[turn];
        // Both end before the round does, so that no guest is ever asked twice at a time.
        if (domain !== undefined && !(await this.#ask(domain, signal))) asked = queue.length;
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, ask));
  }

  /** The guests that run and may be told of. Those that do not run, or run anew, are forgotten. */
  async #listRunning(settings: ReportSettings, signal: AbortSignal): Promise<readonly Domain[]> {
    const options = { signal, timeoutMs: LIST_TIMEOUT_MS };
    const flags = ConnectListAllDomainsFlags.running;
    const running = await this.#deps.session.connectListAllDomains({ flags }, options);
    const ids = new Map(running.map(({ uuid, id }) => [uuid, id]));
    for (const [uuid, { id }] of this.#guests) if (ids.get(uuid) !== id) this.#guests.delete(uuid);
    return running.filter(({ name }) => isReportedDomain(name, settings));
  }

  /** Resolves whether it makes sense to go on with the next. */
  async #ask(domain: Domain, signal: AbortSignal): Promise<boolean> {
    try {
      if (await this.#isConnected(domain, signal)) await this.#ping(domain, signal);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      this.#deps.ignore(error, 'a guest could not be asked, it is asked again');
      return !isConnectionLost(error);
    }
  }

  async #isConnected(domain: Domain, signal: AbortSignal): Promise<boolean> {
    const known = this.#guests.get(domain.uuid);
    if (known?.isConnected !== undefined) return known.isConnected;
    const isConnected = await readAgentConnected(this.#deps.session, domain, signal);
    // What was heard meanwhile is newer.
    if (this.#guests.get(domain.uuid) !== known) return false;
    this.#guests.set(domain.uuid, { id: domain.id, isConnected, pulse: known?.pulse ?? unknownPulse });
    return isConnected;
  }

  async #ping(domain: Domain, signal: AbortSignal): Promise<void> {
    const { settings, metrics, now, onEvent } = this.#deps;
    const { misses, timeoutSeconds } = settings().guestPing;
    const known = this.#guests.get(domain.uuid);
    if (known === undefined) return;
    const result = await pingGuest(this.#deps, domain, { timeoutSeconds, signal });
    metrics.guestPings.cell([result]).add();
    if (this.#guests.get(domain.uuid) !== known) return;
    if (result === 'refused') {
      this.#guests.set(domain.uuid, { ...known, isConnected: false });
      return;
    }
    const moment = { milliseconds: performance.now(), time: now().toISOString() };
    const { pulse, news } = nextPulse(known.pulse, result, misses, moment);
    this.#guests.set(domain.uuid, { ...known, pulse });
    if (news !== undefined) onEvent({ kind: 'guest-ping', domain: telemetryDomain(domain), ...news });
  }
}

function doubted(known: KnownGuest): KnownGuest {
  return { ...known, isConnected: undefined, pulse: doubtedPulse(known.pulse) };
}
