import type { ComputeInstance } from '@smalt/compute';
import type { InstanceEvent } from '@smalt/instance-recovery';
import { messageOf } from '@smalt/service-runtime';

import { isLeadLost } from '../../ha-service-error.ts';
import { JournalKind, type JournalEntry } from '../../ports/incident-store.ts';
import { call } from '../engine-context.ts';
import { listInstances } from '../list-instances.ts';
import type { FleetLook, SeenHost } from '../fleet/fleet-look.ts';
import type { WorkerContext } from '../incidents/worker-context.ts';
import { BootDocuments, type KnownBoot } from './boot-documents.ts';

/** A compute system looks every ten minutes or so which guests have stopped by themselves. */
const WATCH_MS = 30 * 60_000;
/** Of a fleet that is seen for the first time, so many are written down at a time. */
const MOST_NEWCOMERS = 50;

/** What became of a host since it was seen last. */
export function decideBoot(known: KnownBoot | undefined, bootId: string | undefined): 'same' | 'newcomer' | 'rebooted' {
  if (bootId === undefined || known?.bootId === bootId) return 'same';
  return known === undefined ? 'newcomer' : 'rebooted';
}

/** Whether an instance was lost by a reboot of its host: it stands still, and nobody has stopped it. */
export function isLost({ state, isMeantToRun }: Pick<ComputeInstance, 'state' | 'isMeantToRun'>): boolean {
  return state === 'stopped' && isMeantToRun;
}

interface Watch {
  readonly bootId: string;
  readonly since: number;
  dueAt: number;
  /** Those that were looked at, once each: what becomes of them later is told by events. */
  readonly asked: Set<string>;
}

/**
 * Notices hosts that have booted anew, tells of each, and finds the instances that do not run since. A host that reboots
 * quickly is never condemned, and sends no events about the guests it lost.
 */
export class RebootWatch {
  readonly #context: WorkerContext;
  readonly #documents: BootDocuments;
  readonly #watches = new Map<string, Watch>();

  constructor(context: WorkerContext) {
    this.#context = context;
    this.#documents = new BootDocuments(context);
  }

  /** What was found to be lost since, by instance; each is told once. */
  async look(look: FleetLook, signal: AbortSignal): Promise<ReadonlyMap<string, InstanceEvent>> {
    await this.#documents.load(signal);
    await this.#noteBoots(look, signal);
    const found = new Map<string, InstanceEvent>();
    for (const [host, known] of this.#documents.all()) {
      const seen = look.hosts.get(host);
      if (!known.isWatched || seen === undefined) continue;
      for (const id of await this.#lostOn(seen, this.#watchOf(host, known.bootId), signal)) {
        found.set(id, { host, at: this.#context.ports.clock.now(), event: { kind: 'host-reboot' } });
      }
    }
    return found;
  }

  /** Has an instance looked at again, because it could not be taken in. */
  askAgain(host: string, instanceId: string): void {
    this.#watches.get(host)?.asked.delete(instanceId);
  }

  async #noteBoots({ hosts, service }: FleetLook, signal: AbortSignal): Promise<void> {
    let newcomers = 0;
    for (const [host, { view }] of hosts) {
      const bootId = view.boot.latest?.bootId;
      const step = decideBoot(this.#documents.all().get(host), bootId);
      if (bootId === undefined || step === 'same') continue;
      if (step === 'newcomer' && (newcomers += 1) > MOST_NEWCOMERS) continue;
      // Before it is stored: whoever is stopped in between has it told twice rather than never.
      if (step === 'rebooted') await this.#tell(host, view.maintenance ?? '', signal);
      await this.#documents.save(host, { bootId, isWatched: step === 'rebooted' }, signal);
    }
    if (service.kubernetesSince === undefined || service.computeSince === undefined) return;
    const gone = [...this.#documents.all().keys()].filter((host) => !hosts.has(host));
    for (const host of gone) await this.#documents.delete(host, signal);
  }

  async #tell(host: string, maintenance: string, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#context.ports;
    const entry: JournalEntry = {
      at: clock.now(),
      kind: JournalKind.hostReboot,
      severity: maintenance === '' ? 'warning' : 'info',
      host,
      incidentId: undefined,
      instanceId: undefined,
      message: `${host} has booted anew; what was meant to run on it and does not is for instance recovery`,
      by: undefined,
    };
    await call(this.#context, 'telling of a reboot', signal, (inner) => store.journal.append([entry], inner));
  }

  #watchOf(host: string, bootId: string): Watch {
    const watch = this.#watches.get(host);
    if (watch?.bootId === bootId) return watch;
    const begun = { bootId, since: this.#context.ports.clock.now(), dueAt: 0, asked: new Set<string>() };
    this.#watches.set(host, begun);
    return begun;
  }

  async #lostOn({ cluster, view }: SeenHost, watch: Watch, signal: AbortSignal): Promise<readonly string[]> {
    const { ports, settings, fleet } = this.#context;
    const { name } = view;
    const now = ports.clock.now();
    if (watch.dueAt > now) return [];
    if (now - watch.since > WATCH_MS) {
      await this.#documents.save(name, { bootId: watch.bootId, isWatched: false }, signal);
      this.#watches.delete(name);
      return [];
    }
    watch.dueAt = now + settings().refreshIntervalMs;
    const identity = cluster && fleet.identityOf(cluster);
    if (identity === undefined) return [];
    try {
      const listed = await listInstances(this.#context, identity, signal);
      return await this.#lostAmong(listed, watch, signal);
    } catch (error) {
      if (signal.aborted || isLeadLost(error)) throw error;
      ports.logger.warn({ host: name, error: messageOf(error) }, 'what a reboot has cost cannot be read yet');
      return [];
    }
  }

  async #lostAmong(
    listed: readonly ComputeInstance[],
    { asked }: Watch,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const { compute } = this.#context.ports;
    const lost: string[] = [];
    for (const { id, state } of listed) {
      if (state !== 'stopped' || asked.has(id)) continue;
      // Only a closer look tells who has stopped it.
      const found = await call(this.#context, 'reading an instance', signal, (inner) =>
        compute.instances.get(id, inner),
      );
      asked.add(id);
      if (found !== undefined && isLost(found)) lost.push(id);
    }
    return lost;
  }
}
