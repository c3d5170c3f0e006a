import type { Incident } from '@smalt/failure-detection';
import { metricHeader, metricLabels, metricLine, type Ignore } from '@smalt/service-runtime';

import type { HaStore, HostRecord, HostStore, ServiceSwitches } from '../ports/ha-store.ts';
import type { IncidentStore } from '../ports/incident-store.ts';
import { OPEN_STATES } from '../ports/open-states.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import type { HaServiceSettings } from '../settings/ha-service-settings.ts';

const MOST_OPEN = 1_000;

export interface ScrapeStoreDeps {
  readonly store: Pick<HaStore, 'switches'> & {
    readonly incidents: Pick<IncidentStore, 'list'>;
    readonly hosts: Pick<HostStore, 'list'>;
  };
  readonly settings: () => HaServiceSettings;
  readonly clock: Pick<ServiceClock, 'now'>;
  readonly ignore: Ignore;
}

/** What the store holds, told anew at every scrape by every replica; nothing while it does not answer. */
export async function* scrapeStore(deps: ScrapeStoreDeps, signal: AbortSignal): AsyncGenerator<string> {
  const { store, ignore } = deps;
  try {
    const [incidents, hosts, switches] = await Promise.all([
      store.incidents.list({ states: OPEN_STATES, limit: MOST_OPEN }, signal),
      store.hosts.list(signal),
      store.switches(signal),
    ]);
    const { brakes } = deps.settings().detection;
    yield storeUp(true);
    yield storeText({
      incidents,
      hosts,
      isPaused: switches.isPaused || brakes.isPaused,
      isDryRun: switches.isDryRun || brakes.isDryRun,
      now: deps.clock.now(),
    });
  } catch (error) {
    // The scrape has to go on: that the store is away is what it has to tell.
    ignore(error, 'the store does not answer a scrape');
    yield storeUp(false);
  }
}

interface StoreFacts extends ServiceSwitches {
  readonly incidents: readonly Incident[];
  readonly hosts: readonly HostRecord[];
  readonly now: number;
}

/** The text for Prometheus. */
function storeText({ incidents, hosts, isPaused, isDryRun, now }: StoreFacts): string {
  const oldest = incidents.reduce((most, { openedAt }) => Math.max(most, now - openedAt), 0);
  const waiting = incidents.filter(({ wait }) => wait?.needsPerson === true);
  return [
    ...family(
      'incidents',
      'Incidents that are not over, by state.',
      OPEN_STATES.map((state) => ({
        labels: metricLabels(['state'], [state]),
        value: incidents.filter((incident) => incident.state === state).length,
      })),
    ),
    ...family('oldest_open_incident_seconds', 'How long the oldest of them has been open.', [
      { labels: '', value: oldest / 1_000 },
    ]),
    ...family(
      'incident_needs_person',
      'Incidents that go on only after a person has done something. Always 1.',
      waiting.map(({ host, id, wait }) => ({
        labels: metricLabels(['host', 'incident', 'reason'], [host, id, wait?.reason ?? '']),
        value: 1,
      })),
    ),
    ...family('held_hosts', 'Hosts that are off after an incident and have not returned.', [
      { labels: '', value: hosts.filter(({ heldBy }) => heldBy !== undefined).length },
    ]),
    ...family('paused', 'Whether high availability is paused.', [{ labels: '', value: Number(isPaused) }]),
    ...family('dry_run', 'Whether this is a dry run.', [{ labels: '', value: Number(isDryRun) }]),
  ].join('');
}

function storeUp(isUp: boolean): string {
  return family('store_up', 'Whether the store answers.', [{ labels: '', value: Number(isUp) }]).join('');
}

function family(
  name: string,
  help: string,
  values: readonly { readonly labels: string; readonly value: number }[],
): readonly string[] {
  const full = `smalt_ha_${name}`;
  return [metricHeader('gauge', full, help), ...values.map(({ labels, value }) => metricLine(full, labels, value))].map(
    (line) => `${line}\n`,
  );
}
