import type { ComputeHost, HostIdentity } from '@smalt/compute';
import {
  judgeFleet,
  type HostView,
  type Judgement,
  type OpenIncident,
  type ServiceView,
  type SignalSource,
} from '@smalt/failure-detection';
import { messageOf } from '@smalt/service-runtime';

import type { ClusterHost, ClusterView } from '../../ports/cluster-port.ts';
import type { HostRecord, ServiceSwitches } from '../../ports/ha-store.ts';
import { composeHostView } from './compose-host-view.ts';
import { ComputeWatch } from './compute-watch.ts';
import { call, type EngineContext } from '../engine-context.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { FleetLook, SeenHost } from './fleet-look.ts';
import { HostPlaces } from './host-places.ts';
import { identifyHost, type HostIdentification } from './identify-host.ts';
import { Moment } from '../timing/moment.ts';
import { SourceReaches } from './source-reaches.ts';
import { StallWatch } from './stall-watch.ts';
import { SuspectWatch, type Suspect } from './suspect-watch.ts';

/** Sees the whole fleet: what the store, the cluster and the compute system tell, put together host by host. */
export class FleetWatch {
  readonly compute: ComputeWatch;
  readonly suspects: SuspectWatch;
  readonly places: HostPlaces;
  readonly #context: EngineContext;
  readonly #reaches: SourceReaches;
  readonly #stalls: StallWatch;
  /** Services that several objects claim to be theirs. */
  #disputed: ReadonlySet<string> = new Set();
  #cursor: string | undefined;
  #storeSince: number | undefined;
  #lastOpenedAt: number | undefined;

  constructor(context: EngineContext) {
    this.#context = context;
    this.compute = new ComputeWatch(context.book);
    this.suspects = new SuspectWatch(context);
    this.places = new HostPlaces(context);
    this.#reaches = new SourceReaches(context);
    this.#stalls = new StallWatch(context.ports.clock);
  }

  /** Notes when an incident was opened, for the brake that keeps them apart. */
  noteOpened(at: number): void {
    this.#lastOpenedAt = Math.max(this.#lastOpenedAt ?? at, at);
  }

  /** What is known of a host that no look has found, such as one whose object was deleted. */
  signalsOf(host: string): HostView['signals'] {
    const { book } = this.#context;
    return Array.from(book.signalsOf(host).values(), (signal) => ({ ...signal, reachableSince: undefined }));
  }

  /**
   * The ids of a host, if the compute system has it under its own name and no other object claims them: by wrong ids a host
   * that lives would be declared dead.
   */
  identityOf(host: ClusterHost): HostIdentity | undefined {
    const identified = this.identify(host.name, host);
    return identified.kind === 'known' ? identified.identity : undefined;
  }

  /** Which host of the compute system it is, or why that is not certain; `cluster` is undefined where its object is gone. */
  identify(name: string, cluster: ClusterHost | undefined): HostIdentification {
    const identity = cluster?.identity;
    return identifyHost({
      name,
      stated: cluster && { identity },
      found: cluster === undefined ? this.compute.named(name) : this.compute.of(identity),
      isDisputed: identity !== undefined && this.#disputed.has(identity.serviceId),
      isListed: this.compute.readAt !== undefined,
    });
  }

  /** Asks the compute system for all hosts. */
  async refresh(signal: AbortSignal): Promise<void> {
    const { ports, settings } = this.#context;
    const askedAt = ports.clock.now();
    try {
      const listed = await call(this.#context, 'listing hosts', signal, (inner) => ports.compute.hosts.list(inner));
      const names = namesByService(ports.cluster.view());
      const nameOf = ({ serviceId, name }: ComputeHost) => names.get(serviceId) ?? name;
      this.compute.take(listed, askedAt, { nameOf, serviceDownMs: settings().serviceDownMs });
      await this.places.refresh(ports.cluster.view().hosts, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      ports.logger.warn({ error: messageOf(error) }, 'the compute system cannot be asked for its hosts');
      this.compute.lose();
    }
  }

  /** Looks at everything and judges it. Rejects when the store does not answer; then nothing is known. */
  async look(openIncidents: readonly OpenIncident[], signal: AbortSignal): Promise<FleetLook> {
    const { ports } = this.#context;
    const begun = new Moment(ports.clock);
    const { at } = begun;
    this.#tellStall(this.#stalls.look(at, this.#context.settings()));
    const { records, switches } = await this.#readStore(signal);
    this.#tellStall(this.#stalls.lookAgain(ports.clock.now(), this.#context.settings()));
    const settings = withSwitches(this.#context.settings(), switches);
    const cluster = ports.cluster.view();
    const service = this.#serviceView(cluster);
    this.#reaches.look(service, cluster);
    const hosts = this.#see(cluster, records);
    const views: HostView[] = [];
    for (const { view } of hosts.values()) views.push(view);
    const now = ports.clock.now();
    const judgement = judgeFleet({ hosts: views, service, openIncidents }, settings.detection, now);
    const inIncident = new Set(openIncidents.map(({ host }) => host));
    const decisionMs = ports.clock.now() - now;
    return { at, begun, settings, hosts, service, judgement, decisionMs, sources: this.#reaches.all(), inIncident };
  }

  #tellStall(stall: string | undefined): void {
    if (stall !== undefined) this.#context.ports.logger.warn({ stall }, 'the service begins to watch anew');
  }

  /** Looks closer at those of a look that show no life and could be recovered. */
  attend({ hosts, judgement }: FleetLook, isBeingRead: (host: string) => boolean): void {
    const suspects: Suspect[] = [];
    for (const [name, judged] of judgement.judgements) {
      if (!isSuspicious(judged)) continue;
      const seen = hosts.get(name);
      const { cluster, view } = seen ?? {};
      if (cluster?.identity === undefined || view?.isOnboarded !== true || view.isHeld) continue;
      suspects.push({ cluster: { ...cluster, identity: cluster.identity }, isBeingRead: isBeingRead(name) });
    }
    this.suspects.attend(suspects);
  }

  async #readStore(
    signal: AbortSignal,
  ): Promise<{ readonly records: readonly HostRecord[]; readonly switches: ServiceSwitches }> {
    const { ports, book } = this.#context;
    const { store, clock } = ports;
    try {
      const [changes, records, switches] = await call(this.#context, 'reading the store', signal, (inner) =>
        Promise.all([store.signals.changes(this.#cursor, inner), store.hosts.list(inner), store.switches(inner)]),
      );
      // The ages were told a moment ago: to take them from now on makes hosts younger, never older.
      book.take(changes.signals, changes.reports, clock.now());
      this.#cursor = changes.cursor;
      this.#storeSince ??= clock.now();
      return { records, switches };
    } catch (error) {
      this.#storeSince = undefined;
      throw error;
    }
  }

  #serviceView(cluster: ClusterView): ServiceView {
    return {
      startedAt: this.#stalls.startedAt,
      kubernetesSince: this.#reaches.clusterSince(cluster),
      computeSince: this.compute.reachableSince,
      storeSince: this.#storeSince,
      lastOpenedAt: this.#lastOpenedAt,
    };
  }

  #see(cluster: ClusterView, records: readonly HostRecord[]): ReadonlyMap<string, SeenHost> {
    const recordsByName = new Map(records.map((record) => [record.name, record]));
    const hosts = new Map<string, SeenHost>();
    const services = new Set<string>();
    const disputed = new Set<string>();
    for (const { identity } of cluster.hosts) {
      if (identity === undefined) continue;
      if (services.has(identity.serviceId)) disputed.add(identity.serviceId);
      services.add(identity.serviceId);
    }
    this.#disputed = disputed;
    for (const host of cluster.hosts) {
      hosts.set(host.name, this.#seeHost(host.name, host, recordsByName.get(host.name)));
    }
    for (const { name, serviceId } of this.compute.hosts()) {
      if (services.has(serviceId) || hosts.has(name)) continue;
      hosts.set(name, this.#seeHost(name, undefined, recordsByName.get(name)));
    }
    return hosts;
  }

  #seeHost(name: string, cluster: ClusterHost | undefined, record: HostRecord | undefined): SeenHost {
    const { book, ports } = this.#context;
    const bmcSince = this.suspects.bmcReachableSince(name);
    const view = composeHostView({
      name,
      cluster,
      record,
      signals: book.signalsOf(name),
      boots: book.bootsOf(name),
      reach: (source: SignalSource) => (source === 'bmc' ? bmcSince : this.#reaches.of(source)),
      isRegistered: cluster !== undefined && this.identityOf(cluster) !== undefined,
      coverage: cluster === undefined ? undefined : this.places.coverageOf(cluster),
      isUnwatched: this.compute.isUnwatched(name, ports.clock.now()),
      suspect: this.suspects.factsOf(name),
      kdumpUntil: ports.sources?.kdumpUntil?.(name),
    });
    return { view, cluster, record };
  }
}

function isSuspicious({ kind }: Judgement): boolean {
  return kind === 'suspect' || kind === 'condemned';
}

function withSwitches(settings: EngineSettings, switches: ServiceSwitches): EngineSettings {
  const { detection } = settings;
  const isPaused = detection.brakes.isPaused || switches.isPaused;
  const isDryRun = detection.brakes.isDryRun || switches.isDryRun;
  return { ...settings, detection: { ...detection, brakes: { ...detection.brakes, isPaused, isDryRun } } };
}

function namesByService({ hosts }: ClusterView): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { name, identity } of hosts) if (identity !== undefined) names.set(identity.serviceId, name);
  return names;
}
