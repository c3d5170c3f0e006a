import { messageOf } from '@smalt/service-runtime';

import { isLeadLost } from '../ha-service-error.ts';
import type { EngineView } from '../ports/engine-view.ts';
import { ContractKeeper } from './contract/contract-keeper.ts';
import { call, type EngineContext } from './engine-context.ts';
import type { FleetLook } from './fleet/fleet-look.ts';
import { BrakeNews } from './fleet/brake-news.ts';
import { FleetWatch } from './fleet/fleet-watch.ts';
import { HostReturns } from './contract/host-returns.ts';
import { IncidentDesk } from './incidents/incident-desk.ts';
import { InstanceRecoveries } from './instances/instance-recoveries.ts';
import { RefusalLog } from './fleet/refusal-log.ts';

/** The leader's mind: it looks, decides and has things done, in loops that do not hold each other up. */
export class Engine {
  readonly #context: EngineContext;
  readonly #fleet: FleetWatch;
  readonly #desk: IncidentDesk;
  readonly #returns: HostReturns;
  readonly #contract: ContractKeeper;
  readonly #recoveries: InstanceRecoveries;
  readonly #refusals = new RefusalLog();
  readonly #brake: BrakeNews;
  #look: FleetLook | undefined;

  constructor(context: EngineContext) {
    this.#context = context;
    this.#fleet = new FleetWatch(context);
    this.#brake = new BrakeNews(context.ports.logger);
    const shared = { ...context, fleet: this.#fleet, latestLook: () => this.#look };
    this.#desk = new IncidentDesk(shared);
    this.#returns = new HostReturns(shared);
    this.#recoveries = new InstanceRecoveries(shared);
    this.#contract = new ContractKeeper(context, {
      openIncident: (host) => this.#desk.incidentOf(host),
      heldIncident: (host) => this.#returns.incidentOf(host),
      isMarked: (host) => this.#returns.isMarked(host),
      coverageOf: (host) => this.#fleet.places.coverageOf(host),
    });
  }

  /** The loops; each rejects when the signal fires or the lead is lost, and for nothing else. */
  loops(signal: AbortSignal): readonly Promise<void>[] {
    const { settings } = this.#context;
    const { lookIntervalMs, refreshIntervalMs } = {
      lookIntervalMs: () => settings().lookIntervalMs,
      refreshIntervalMs: () => settings().refreshIntervalMs,
    };
    return [
      this.#loop({ name: 'hosts', intervalMs: refreshIntervalMs, step: (inner) => this.#fleet.refresh(inner) }, signal),
      this.#loop({ name: 'look', intervalMs: lookIntervalMs, step: (inner) => this.#lookOnce(inner) }, signal),
      this.#loop(
        { name: 'instances', intervalMs: lookIntervalMs, step: (inner) => this.#recoveries.step(inner) },
        signal,
      ),
    ];
  }

  async #loop({ name, intervalMs, step }: Loop, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#context.ports;
    for (;;) {
      try {
        await step(signal);
      } catch (error) {
        if (signal.aborted || isLeadLost(error)) throw error;
        logger.error({ loop: name, error: messageOf(error) }, 'a loop of the engine goes on after a failure');
      }
      await clock.wait(intervalMs(), signal);
    }
  }

  async #lookOnce(signal: AbortSignal): Promise<void> {
    await this.#desk.load(signal);
    const look = await this.#fleet.look(this.#desk.open(), signal);
    this.#look = look;
    this.#brake.take(look.judgement.isBrakeUsedUp);
    this.#fleet.attend(look, (host) => this.#desk.isReading(host));
    this.#returns.take(look);
    this.#contract.take(look);
    await this.#tellRefusals(look, signal);
    await this.#desk.take(look, signal);
    this.#context.ports.observe?.(this.#view(look));
  }

  async #tellRefusals({ judgement, at }: FleetLook, signal: AbortSignal): Promise<void> {
    const { ports } = this.#context;
    const { entries, keep } = this.#refusals.compare(judgement.verdicts, at);
    if (entries.length > 0) {
      await call(this.#context, 'telling refusals', signal, (inner) => ports.store.journal.append(entries, inner));
    }
    keep();
  }

  #view({ at, decisionMs, service, judgement, sources, hosts }: FleetLook): EngineView {
    const refusals = this.#refusals.current;
    const openIncidents = this.#desk.open();
    const signalsOf: EngineView['signalsOf'] = (host) => hosts.get(host)?.view.signals ?? [];
    const { judgements, isBrakeUsedUp } = judgement;
    return { at, decisionMs, service, judgements, signalsOf, refusals, isBrakeUsedUp, sources, openIncidents };
  }
}

interface Loop {
  readonly name: string;
  readonly intervalMs: () => number;
  readonly step: (signal: AbortSignal) => Promise<void>;
}
