import type { FleetJudgement, HostView, ServiceView, SignalSource } from '@smalt/failure-detection';

import type { ClusterHost } from '../../ports/cluster-port.ts';
import type { HostRecord } from '../../ports/ha-store.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { Moment } from '../timing/moment.ts';

/** A host with everything that one look has found out about it. */
export interface SeenHost {
  readonly view: HostView;
  /** undefined for a host that only the compute system knows. */
  readonly cluster: ClusterHost | undefined;
  readonly record: HostRecord | undefined;
}

/** One look at the whole fleet, and what is thought of it. */
export interface FleetLook {
  /** When it began: nothing in it is newer. */
  readonly at: number;
  /** The same, for those who have to know how long ago that is. */
  readonly begun: Moment;
  /** The settings it was made by, with what persons have switched. */
  readonly settings: EngineSettings;
  readonly hosts: ReadonlyMap<string, SeenHost>;
  readonly service: ServiceView;
  readonly judgement: FleetJudgement;
  readonly decisionMs: number;
  readonly sources: ReadonlyMap<SignalSource, number>;
  /** The hosts whose incidents were open when it began. */
  readonly inIncident: ReadonlySet<string>;
}
