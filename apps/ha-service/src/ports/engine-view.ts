import type { HostSignal, Judgement, OpenIncident, Refusal, ServiceView, SignalSource } from '@smalt/failure-detection';

export interface ToldRefusal extends Refusal {
  /** Since when this brake has held the host back. */
  readonly at: number;
}

/** What the leader thinks after a look, for the API and the metrics. */
export interface EngineView {
  readonly at: number;
  /** How long it took to judge the fleet. */
  readonly decisionMs: number;
  readonly service: ServiceView;
  /** What is thought of each host. */
  readonly judgements: ReadonlyMap<string, Judgement>;
  /** What each host was judged by. */
  readonly signalsOf: (host: string) => readonly HostSignal[];
  /** Why nothing is done about hosts that are condemned. */
  readonly refusals: ReadonlyMap<string, ToldRefusal>;
  /** Whether so many hosts are missing that one more would not be recovered. */
  readonly isBrakeUsedUp: boolean;
  /** Since when each source has been within reach; one that is not is left out. `bmc` is a matter of each host. */
  readonly sources: ReadonlyMap<SignalSource, number>;
  readonly openIncidents: readonly OpenIncident[];
}
