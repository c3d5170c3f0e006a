import { setTimeout as delay } from 'node:timers/promises';

import type { HaServiceProcess } from './ha-service-process.ts';
import { followRunbook } from './runbook-command.ts';

const STEP_MS = 60_000;
const POLL_MS = 200;

/** An incident as the API tells it. */
export interface ToldIncident {
  readonly id: string;
  readonly host: string;
  readonly state: string;
  readonly needsPerson: boolean;
  /** The sources that said that the host is dead. */
  readonly condemnedBy: readonly string[];
  readonly fences: readonly { readonly method: string; readonly answer: string | null }[];
  readonly wait: { readonly reason: string; readonly message: string } | null;
  readonly closedAt: string | null;
}

/** What the service thinks of a host, as the API tells it. */
export interface ToldHost {
  readonly name: string;
  readonly judgement: { readonly kind: string; readonly missing?: string; readonly blind?: readonly string[] } | null;
  readonly signals: readonly { readonly source: string; readonly aliveAgeSeconds: number | null }[];
}

/** A person on call, who knows nothing but what the API of the service tells. */
export class OnCall {
  readonly #service: HaServiceProcess;

  constructor(service: HaServiceProcess) {
    this.#service = service;
  }

  /** The newest incident of a host. */
  async incidentOf(host: string): Promise<ToldIncident | undefined> {
    const { items } = Object(await this.#service.ask('GET', `/api/v1/incidents?host=${host}&limit=1`));
    return items[0];
  }

  async host(name: string): Promise<ToldHost> {
    return Object(await this.#service.ask('GET', `/api/v1/hosts/${name}`));
  }

  /** The hosts that are judged so. */
  async judged(kind: string): Promise<readonly string[]> {
    const { items } = Object(await this.#service.ask('GET', `/api/v1/hosts?judgement=${kind}`));
    return items.map(({ name }: ToldHost) => name);
  }

  /** The sources that tell nothing of anybody now. */
  async silentSources(): Promise<readonly string[]> {
    const { items } = Object(await this.#service.ask('GET', '/api/v1/sources'));
    const silent = items.filter(({ reachableSince }: { readonly reachableSince: unknown }) => reachableSince === null);
    return silent.map(({ name }: { readonly name: string }) => name);
  }

  /** Waits until the newest incident of a host is in this state. */
  async ends(host: string, state: string): Promise<void> {
    const deadline = AbortSignal.timeout(STEP_MS);
    for (;;) {
      const incident = await this.incidentOf(host);
      if (incident?.state === state) return;
      if (deadline.aborted) throw new Error(`${host} is not ${state}: ${JSON.stringify(incident)}`);
      await delay(POLL_MS);
    }
  }

  async release(host: string): Promise<void> {
    await this.#follow('/release', (await this.incidentOf(host))?.id, host);
  }

  async confirmOff(incidentId: string | undefined, host: string): Promise<void> {
    await this.#follow('/confirm-off', incidentId, host);
  }

  /** Does what the runbook says, word for word. */
  async #follow(containing: string, incidentId: string | undefined, host: string): Promise<void> {
    const answer = await followRunbook(containing, { ...this.#service.access, incidentId: incidentId ?? '', host });
    if (Object(JSON.parse(answer)).incidentId !== incidentId) throw new Error(`the runbook leads to ${answer}`);
  }
}
