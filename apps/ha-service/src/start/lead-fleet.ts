import { randomUUID } from 'node:crypto';

import { CountingIncidentStore } from '../metrics/counting-incident-store.ts';
import { notify } from '../notices/notify.ts';
import type { EnginePorts } from '../ports/engine-ports.ts';
import type { EngineView } from '../ports/engine-view.ts';
import type { HaStore } from '../ports/ha-store.ts';
import type { SourcesPort } from '../ports/sources-port.ts';
import { SilentSwitches } from '../power/silent-switches.ts';
import { watchPower } from '../power/watch-power.ts';
import { runEngine } from '../engine/run-engine.ts';
import { engineSettings } from '../settings/ha-service-settings.ts';
import { PullSources, type PullSourcesDeps } from '../sources/pull/pull-sources.ts';
import { retain } from './retain.ts';
import type { Replica } from './replica.ts';

/** All that the leader does, until the signal fires or one part of it cannot go on. */
export async function leadFleet(replica: Replica, isLeading: () => boolean, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  // The Lease was ours a moment ago, so the API server is there; but nobody is judged by half of the fleet.
  await replica.cluster.whenSynced(until);
  await announce(replica, until);
  const pulled = new PullSources(pullDeps(replica));
  const tasks = [
    runEngine({ ...enginePorts(replica, pulled), isLeading }, () => engineSettings(replica.settings.current), until),
    notify(noticeDeps(replica), until),
    retain(retainDeps(replica), until),
    watchControllers(replica, until),
    pulled.run(until),
  ];
  try {
    await Promise.race(tasks);
  } finally {
    over.abort(new Error('the lead is over'));
    await Promise.allSettled(tasks);
  }
}

/** The journal says who leads; and it is never empty then, which receivers of notices rely on. */
async function announce({ store, clock, identity }: Replica, signal: AbortSignal): Promise<void> {
  const nothing = { host: undefined, incidentId: undefined, instanceId: undefined, by: undefined };
  const entry = { ...nothing, at: clock.now(), kind: 'service', severity: 'info' } as const;
  await store.journal.append([{ ...entry, message: `${identity} leads` }], signal);
}

function enginePorts(replica: Replica, pulled: SourcesPort): EnginePorts {
  const { kdump } = replica;
  const sources: SourcesPort = {
    reachOf: (source) => pulled.reachOf(source),
    kdumpUntil: (host) => kdump.untilOf(host),
  };
  const { clock, store, compute, cluster, power, counts, logger, ignore } = replica;
  const incidents = new CountingIncidentStore(store.incidents, (found) => counts.count(found));
  const counting: HaStore = { ...store, incidents };
  const outside = { clock, store: counting, compute: compute.compute, cluster, power, sources, logger, ignore };
  return { ...outside, observe: (view) => observe(replica, view), newId: randomUUID };
}

function observe({ lead, history, news, settings }: Replica, view: EngineView): void {
  const { judgement } = settings.current.detection;
  lead.think(view, judgement.requiredSources);
  if (!lead.isLeading) return;
  history.take(view, judgement);
  news.tell('look');
}

/** What is pulled is asked for by the leader alone: nobody else judges by it. */
function pullDeps({ store, cluster, clock, logger, ignore, settings, counts }: Replica): PullSourcesDeps {
  return {
    endpoints: () => settings.current.sources.pull,
    signals: store.signals,
    isHost: (name) => cluster.host(name) !== undefined,
    clock,
    wallNow: Date.now,
    logger,
    ignore,
    onPull: (endpoint, isGood) => counts.pulled(endpoint, isGood),
    onGone: (endpoint) => counts.pullUp.remove([endpoint]),
  };
}

function noticeDeps({ store, clock, logger, settings, counts }: Replica): Parameters<typeof notify>[0] {
  return {
    store,
    clock,
    logger,
    wallNow: () => Date.now(),
    webhooks: () => settings.current.webhooks,
    onDelivery: (webhook, result) => counts.notices.cell([webhook, result]).add(),
  };
}

function retainDeps({ store, clock, logger, settings, counts }: Replica): Parameters<typeof retain>[0] {
  return {
    store,
    clock,
    logger,
    settings: () => settings.current.retention,
    onPruned: (found) => {
      for (const [kind, rows] of Object.entries(found)) counts.pruned.cell([kind]).add(rows);
    },
  };
}

/** Management controllers that do not answer are to be known before their hosts die. */
async function watchControllers(replica: Replica, signal: AbortSignal): Promise<void> {
  const { power, settings, cluster, clock, ignore, counts, logger } = replica;
  const silent = new SilentSwitches(logger);
  await watchPower(
    {
      power,
      clock,
      ignore,
      settings: () => settings.current.fencing.check,
      hosts: () => cluster.view().hosts.map(({ name }) => name),
      onReports: (host, reports) => {
        counts.sawControllers(host, reports);
        silent.take(host, reports);
      },
    },
    signal,
  );
}
