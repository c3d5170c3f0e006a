import type { ComputeInstance, HostIdentity } from '@smalt/compute';
import { judgeInstance, segmentOf, type HostPlace } from '@smalt/recovery-policy';
import { messageOf } from '@smalt/service-runtime';

import type { ClusterHost } from '../../ports/cluster-port.ts';
import { call, type EngineContext } from '../engine-context.ts';
import { isLostWithHost, listAll } from '../list-instances.ts';
import type { SuspectFacts } from './suspect-facts.ts';
import { withDeadline } from '../timing/with-deadline.ts';

const MOST_READERS = 8;
const MOST_LISTERS = 4;
/** A statement of the BMC has to be repeated well within the time for which it counts. */
const READINGS_PER_FRESHNESS = 4;

const NONE: ReadonlySet<string> = new Set();

export interface Suspect {
  readonly cluster: ClusterHost & { readonly identity: HostIdentity };
  /** Whether its incident reads the power already. */
  readonly isBeingRead: boolean;
}

interface Sight {
  /** The last answers to both questions; one may be lost while the other comes. */
  place: HostPlace | undefined;
  instances: readonly ComputeInstance[] | undefined;
  readonly everSeen: Set<string>;
  factsDueAt: number;
  powerDueAt: number;
  /** Since when its BMC has answered every time. */
  answersSince: number | undefined;
}

/** Looks closer at hosts that show no life: how many instances they have, and whether their power is on. */
export class SuspectWatch {
  readonly #context: EngineContext;
  readonly #sights = new Map<string, Sight>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** What was found out; undefined until both questions were answered. */
  factsOf(host: string): SuspectFacts | undefined {
    const { place, instances } = this.#sights.get(host) ?? {};
    if (place === undefined || instances === undefined) return undefined;
    const { policy } = this.#context.settings();
    const cover = segmentOf(place, policy);
    return {
      relevantInstances: instances.filter((each) => judgeInstance(each, place, policy.instances).isRelevant).length,
      exclusion: cover.kind === 'excluded' ? cover.why : undefined,
    };
  }

  /** The ids of all instances that it was seen to have since it shows no life; a list may be short later. */
  everSeenOn(host: string): ReadonlySet<string> {
    return this.#sights.get(host)?.everSeen ?? NONE;
  }

  bmcReachableSince(host: string): number | undefined {
    return this.#sights.get(host)?.answersSince;
  }

  /** Notes a reading of the power, whoever asked for it. */
  hearPower(host: string, power: 'on' | 'off' | 'unknown', at: number): void {
    const { book } = this.#context;
    const sight = this.#sights.get(host);
    if (power === 'unknown') {
      if (sight !== undefined) sight.answersSince = undefined;
      return;
    }
    if (sight !== undefined) sight.answersSince ??= at;
    if (power === 'on') book.alive(host, 'bmc', at);
    else book.dead(host, 'bmc', at);
  }

  /** Begins what is due for the suspects of a look, a few at a time, and forgets those that are none any more. */
  attend(suspects: readonly Suspect[]): void {
    const names = new Set(suspects.map(({ cluster }) => cluster.name));
    for (const host of this.#sights.keys()) if (!names.has(host)) this.#sights.delete(host);
    for (const suspect of suspects) this.#attend(suspect);
  }

  #attend({ cluster, isBeingRead }: Suspect): void {
    const { background, ports } = this.#context;
    const now = ports.clock.now();
    const sight = this.#sightOf(cluster.name);
    if (sight.factsDueAt <= now && background.count('suspect ') < MOST_LISTERS) {
      background.start(`suspect ${cluster.name}`, (signal) => this.#find(cluster, sight, signal));
    }
    if (isBeingRead || sight.powerDueAt > now || background.count('power ') >= MOST_READERS) return;
    const [method] = ports.power.methodsOf(cluster.name);
    if (method === undefined) return;
    background.start(`power ${cluster.name}`, (signal) => this.#readPower(cluster.name, method, sight, signal));
  }

  async #readPower(host: string, method: string, sight: Sight, signal: AbortSignal): Promise<void> {
    const { ports, settings } = this.#context;
    const { clock, power, ignore } = ports;
    const { recovery, judgement } = settings().detection;
    const at = clock.now();
    const deadline = { clock, timeoutMs: recovery.readTimeoutMs, what: `reading the power of ${host}`, signal };
    try {
      const reading = await withDeadline(deadline, (inner) => power.readPower(host, method, inner));
      this.hearPower(host, reading.power, at);
    } catch (error) {
      if (signal.aborted) throw error;
      ignore(error, 'a BMC that does not answer says nothing about its host');
      this.hearPower(host, 'unknown', at);
    }
    sight.powerDueAt = clock.now() + judgement.rules.bmc.freshMs / READINGS_PER_FRESHNESS;
  }

  async #find(host: Suspect['cluster'], sight: Sight, signal: AbortSignal): Promise<void> {
    const { ports, settings } = this.#context;
    const answers = await Promise.allSettled([
      this.#findPlace(host, sight, signal),
      this.#findInstances(host, sight, signal),
    ]);
    signal.throwIfAborted();
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed !== undefined) {
      const error = messageOf(failed.reason);
      ports.logger.warn({ host: host.name, error }, 'what a suspect has cannot be read');
    }
    // Nothing is done about it before both are known: what was not answered is asked again by the next look.
    sight.factsDueAt = failed === undefined ? ports.clock.now() + settings().refreshIntervalMs : ports.clock.now();
  }

  async #findPlace(host: Suspect['cluster'], sight: Sight, signal: AbortSignal): Promise<void> {
    const { compute } = this.#context.ports;
    const { known, joined } = await call(this.#context, 'listing aggregates', signal, (inner) =>
      compute.aggregates.membership(host.identity, inner),
    );
    const aggregates = known.filter(({ id }) => joined.has(id));
    sight.place = { name: host.name, labels: host.labels, zone: host.zone, aggregates };
  }

  async #findInstances(host: Suspect['cluster'], sight: Sight, signal: AbortSignal): Promise<void> {
    sight.instances = await listAll(this.#context, host.identity, signal);
    for (const { id } of sight.instances.filter(isLostWithHost)) sight.everSeen.add(id);
  }

  #sightOf(host: string): Sight {
    let sight = this.#sights.get(host);
    if (sight === undefined) {
      const unknown = { place: undefined, instances: undefined, answersSince: undefined };
      sight = { ...unknown, everSeen: new Set(), factsDueAt: 0, powerDueAt: 0 };
      this.#sights.set(host, sight);
    }
    return sight;
  }
}
