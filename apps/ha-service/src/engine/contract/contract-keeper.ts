import type { Incident } from '@smalt/failure-detection';
import { messageOf } from '@smalt/service-runtime';

import { isLeadLost } from '../../ha-service-error.ts';
import type { ClusterHost } from '../../ports/cluster-port.ts';
import { decideContract, type Contract } from './decide-contract.ts';
import { order, type EngineContext } from '../engine-context.ts';
import type { FleetLook } from '../fleet/fleet-look.ts';
import type { HostCoverage } from '../fleet/host-places.ts';

const MOST_WRITERS = 8;
/** How long the cluster has to show what was written, and how long after a failure it is written again. */
const SETTLE_MS = 15_000;

export interface ContractSources {
  /** The incident of a host that is open now. */
  readonly openIncident: (host: string) => Incident | undefined;
  /** The incident after which a host is held; undefined while that is not known. */
  readonly heldIncident: (host: string) => Incident | undefined;
  /** Whether a host that is held was seen to be marked as such since. */
  readonly isMarked: (host: string) => boolean;
  readonly coverageOf: (host: ClusterHost) => HostCoverage;
}

/** Keeps what is stated on Hypervisor objects as it shall be, a few at a time, and holds up nobody. */
export class ContractKeeper {
  readonly #context: EngineContext;
  readonly #sources: ContractSources;
  /** Hosts whose objects were as they shall be; they are not looked at again at once, because there may be thousands. */
  readonly #done = new Map<string, { readonly cluster: ClusterHost; readonly until: number }>();
  readonly #restUntil = new Map<string, { readonly contract: string; readonly until: number }>();

  constructor(context: EngineContext, sources: ContractSources) {
    this.#context = context;
    this.#sources = sources;
  }

  /** Begins the writes that a look calls for. */
  take(look: FleetLook): void {
    if (look.service.kubernetesSince === undefined) return;
    const { background, ports } = this.#context;
    const now = ports.clock.now();
    for (const [name, { cluster, record }] of look.hosts) {
      if (cluster === undefined || this.#isDone(name, cluster, now)) continue;
      if (background.count('contract ') >= MOST_WRITERS) return;
      const contract = this.#decide(cluster, record?.isSwitchedOn, { heldBy: record?.heldBy, look });
      const isDone = contract.isStated && contract.maintenance === undefined;
      const isPlain = record?.heldBy === undefined && !look.inIncident.has(name);
      if (isDone && isPlain) this.#done.set(name, { cluster, until: now + look.settings.refreshIntervalMs });
      else this.#done.delete(name);
      if (isDone || this.#isResting(name, contract)) continue;
      background.start(`contract ${name}`, (signal) => this.#keep(name, contract, signal));
    }
  }

  #decide(
    host: ClusterHost,
    isSwitchedOn: boolean | undefined,
    { heldBy, look }: { readonly heldBy: string | undefined; readonly look: FleetLook },
  ): Contract {
    const { openIncident, heldIncident, isMarked, coverageOf } = this.#sources;
    const open = openIncident(host.name);
    const held = heldBy === undefined ? undefined : heldIncident(host.name);
    return decideContract({
      host,
      isSwitchedOn,
      hasFenceMethod: this.#context.ports.power.methodsOf(host.name).length > 0,
      powerRival: this.#context.ports.power.rivalOf?.(host.name),
      coverage: coverageOf(host),
      incident: open ?? held,
      isMarked: isMarked(host.name),
      heldBy,
      // An incident that was open when the look began may be over by now, and the look does not know that it is held.
      isUnsure: open === undefined && (heldBy !== undefined || look.inIncident.has(host.name)),
    });
  }

  #isDone(host: string, cluster: ClusterHost, now: number): boolean {
    const done = this.#done.get(host);
    return done?.cluster === cluster && now < done.until;
  }

  #isResting(host: string, contract: Contract): boolean {
    const rest = this.#restUntil.get(host);
    return rest?.contract === JSON.stringify(contract) && this.#context.ports.clock.now() < rest.until;
  }

  async #keep(host: string, contract: Contract, signal: AbortSignal): Promise<void> {
    const { clock, cluster, logger } = this.#context.ports;
    const { maintenance, conditions } = contract;
    try {
      if (maintenance !== undefined) {
        await order(this.#context, { what: 'setting spec.maintenance' }, signal, (inner) =>
          cluster.setMaintenance(host, maintenance, inner),
        );
      }
      if (!contract.isStated) {
        await order(this.#context, { what: 'stating conditions' }, signal, (inner) =>
          cluster.state(host, conditions, inner),
        );
      }
    } catch (error) {
      if (signal.aborted || isLeadLost(error)) throw error;
      logger.warn({ host, error: messageOf(error) }, 'the Hypervisor object cannot be written');
    }
    this.#restUntil.set(host, { contract: JSON.stringify(contract), until: clock.now() + SETTLE_MS });
  }
}
