import { Informers, leaseKind, type Informer, type InformerOptions, type Lease } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import { messageOf, type Ignore, type Logger } from '@smalt/service-runtime';

import type { ClusterHost, ClusterPort, ClusterView } from '../ports/cluster-port.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import { ApiReach } from './api-reach.ts';
import { ConditionWriter } from './condition-writer.ts';
import { LeaseSightings } from './lease-sightings.ts';
import { defaultClusterNames, readClusterHost, type ClusterNames } from './read-cluster-host.ts';
import { slimHypervisor, watchedHypervisorKind, type WatchedHypervisor } from './watched-hypervisor.ts';
import { writeMaintenance } from './write-maintenance.ts';

const LEASE_NAMESPACE = 'kube-node-lease';
const PROBE_INTERVAL_MS = 3_000;
const PROBE_TIMEOUT_MS = 5_000;

export interface ClusterOptions {
  readonly client: KubeClient;
  readonly clock: ServiceClock;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly names?: ClusterNames;
}

/** The fleet in Kubernetes, with its caches. */
export interface Cluster extends ClusterPort, AsyncDisposable {
  /** One host, without a look at all others. */
  host(name: string): ClusterHost | undefined;
  /** Resolves when all hosts were seen once; until then there are none, and the API server is out of reach. */
  whenSynced(signal: AbortSignal): Promise<void>;
}

/** Begins to watch Hypervisors and the leases of their nodes, even if the API server is away. */
export function watchCluster(options: ClusterOptions): Cluster {
  const cluster = new WatchedCluster(options);
  cluster.start();
  return cluster;
}

/** Watches Hypervisors and the leases of their nodes. Resolves when all of them were seen once. */
export async function openCluster(options: ClusterOptions, signal: AbortSignal): Promise<Cluster> {
  const cluster = watchCluster(options);
  try {
    await cluster.whenSynced(signal);
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

class WatchedCluster implements Cluster {
  readonly #options: ClusterOptions;
  readonly #reach: ApiReach;
  readonly #informers: Informers;
  readonly #hypervisors: Informer<WatchedHypervisor>;
  readonly #leases: Informer<Lease>;
  readonly #sightings = new LeaseSightings();
  readonly #conditions: ConditionWriter;
  readonly #hosts = new Map<string, ClusterHost>();
  readonly #stopping = new AbortController();
  #listed: readonly ClusterHost[] | undefined;
  #tasks: readonly Promise<void>[] = [];

  constructor(options: ClusterOptions) {
    const { client, clock } = options;
    this.#options = options;
    this.#reach = new ApiReach(clock, ['hypervisors', 'leases']);
    this.#informers = new Informers(client, this.#reachOf('others'));
    this.#hypervisors = this.#informers.for(watchedHypervisorKind, {
      transform: slimHypervisor,
      ...this.#reachOf('hypervisors'),
    });
    this.#leases = this.#informers.for(leaseKind, {
      select: { namespace: LEASE_NAMESPACE },
      transform: slimLease,
      ...this.#reachOf('leases'),
    });
    const resource = client.resource(watchedHypervisorKind);
    this.#conditions = new ConditionWriter({ client: resource, informer: this.#hypervisors, clock });
    this.#leases.onChange((change) => {
      // What was renewed while the watch was broken does not show when its node lived.
      this.#sightings.take(change, this.#reach.since === undefined ? undefined : clock.now());
      const name = change.current?.metadata.name ?? change.old?.metadata.name;
      if (name !== undefined) this.#renew(name);
    });
    this.#hypervisors.onChange(({ key }) => this.#renew(key));
  }

  start(): void {
    const stopping = this.#stopping.signal;
    this.#tasks = [this.#informers.run(stopping), this.#probe(stopping)];
    for (const task of this.#tasks) {
      task.catch((error: unknown) => {
        this.#reach.watchFailed('all');
        this.#options.ignore(error, 'the API server is out of reach for good, and nothing is done then');
      });
    }
  }

  async whenSynced(signal: AbortSignal): Promise<void> {
    await this.#informers.whenSynced(signal);
  }

  view(): ClusterView {
    this.#listed ??= [...this.#hosts.values()];
    return { hosts: this.#listed, reachableSince: this.#reach.since };
  }

  host(name: string): ClusterHost | undefined {
    return this.#hosts.get(name);
  }

  async setMaintenance(host: string, wanted: 'ha' | '', signal: AbortSignal): Promise<void> {
    await writeMaintenance(this.#options.client.resource(watchedHypervisorKind), host, { word: wanted }, signal);
  }

  async claim(host: string, signal: AbortSignal): Promise<void> {
    const wanted = { word: 'ha', objectionTo: objectionToFence } as const;
    await writeMaintenance(this.#options.client.resource(watchedHypervisorKind), host, wanted, signal);
  }

  async state(host: string, conditions: Parameters<ClusterPort['state']>[1], signal: AbortSignal): Promise<void> {
    await this.#conditions.state(host, conditions, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('the cluster is closed'));
    await Promise.allSettled(this.#tasks);
  }

  /** What an informer tells of its watch. */
  #reachOf(watch: string): Required<Pick<InformerOptions<never>, 'onFailure' | 'onReady' | 'onEnd'>> {
    return {
      onFailure: (error, delayMs) => {
        this.#reach.watchFailed(watch);
        this.#options.logger.warn({ error: messageOf(error), watch, delayMs }, 'a watch of the API server failed');
      },
      onReady: () => this.#reach.watchReady(watch),
      onEnd: () => this.#reach.watchEnded(watch),
    };
  }

  #renew(name: string): void {
    const object = this.#hypervisors.cache.get(name);
    const { names = defaultClusterNames } = this.#options;
    if (object === undefined) {
      if (!this.#hosts.delete(name)) return;
    } else {
      this.#hosts.set(name, readClusterHost(object, this.#sightings.seenAt(name), names));
    }
    this.#listed = undefined;
  }

  /**
   * Asks the server something small again and again: a watch on which nothing comes looks like one that is cut. It asks at
   * once when all was seen for the first time, because only then an answer counts.
   */
  async #probe(signal: AbortSignal): Promise<void> {
    const { client, clock, ignore } = this.#options;
    const leases = client.resource(leaseKind);
    while (!signal.aborted) {
      const until = AbortSignal.any([signal, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
      try {
        await leases.list({ namespace: LEASE_NAMESPACE, limit: 1, signal: until });
        if (this.#informers.unsynced().length === 0) this.#reach.answered();
      } catch (error) {
        if (signal.aborted) return;
        this.#reach.failed();
        ignore(error, 'the API server does not answer, and nothing is done as long as it does not');
      }
      const isSynced = this.#informers.unsynced().length === 0;
      const waits = [clock.wait(PROBE_INTERVAL_MS, signal), ...(isSynced ? [] : [this.whenSynced(signal)])];
      await Promise.race(waits).catch(() => undefined);
    }
  }
}

/** Why a host is none to power off, by its object; whose word is in `spec.maintenance` is looked at by who writes there. */
function objectionToFence(object: WatchedHypervisor): string | undefined {
  const { name, isHighlyAvailable, isOnboarded } = readClusterHost(object, undefined, defaultClusterNames);
  if (!isHighlyAvailable) return `${name} has highAvailability: false`;
  return isOnboarded ? undefined : `${name} is not onboarded`;
}

function slimLease({ apiVersion, kind, metadata, spec }: Lease): Lease {
  const { name, namespace, uid, resourceVersion } = metadata;
  const kept = {
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  const renewed = spec.renewTime === undefined ? {} : { renewTime: spec.renewTime };
  return { apiVersion, kind, metadata: { name, ...kept }, spec: renewed };
}
