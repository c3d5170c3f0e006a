import type { Compute } from '@smalt/compute';
import type { Ignore, Logger } from '@smalt/service-runtime';

import type { ClusterPort } from './cluster-port.ts';
import type { EngineView } from './engine-view.ts';
import type { HaStore } from './ha-store.ts';
import type { Ordered } from './order-signal.ts';
import type { PowerPort } from './power-port.ts';
import type { ServiceClock } from './service-clock.ts';
import type { SourcesPort } from './sources-port.ts';

/** The part of the compute system that high availability needs. */
export type HaCompute = Pick<Compute, 'hosts' | 'instances' | 'moves' | 'evacuations' | 'aggregates'>;

/** Of what changes something no leader may send anything once its Lease is over: see `order`. */
interface OrderedCompute {
  readonly hosts: Ordered<HaCompute['hosts'], 'forceDown' | 'clearForcedDown' | 'enable' | 'disable' | 'deregister'>;
  readonly instances: Ordered<HaCompute['instances'], 'restart' | 'stop'>;
  readonly moves: Ordered<HaCompute['moves'], 'startLive' | 'startCold' | 'confirm' | 'abort'>;
  readonly evacuations: Ordered<HaCompute['evacuations'], 'start'>;
  readonly aggregates: Ordered<HaCompute['aggregates'], 'join' | 'leave'>;
}

/**
 * Everything outside the leader's mind. The simulator stands in for all of it; nothing else may be asked for the time, a
 * random number or the network.
 */
export interface EnginePorts {
  readonly clock: ServiceClock;
  readonly store: HaStore;
  readonly compute: OrderedCompute;
  readonly cluster: Ordered<ClusterPort, 'setMaintenance' | 'claim' | 'state'>;
  readonly power: Ordered<PowerPort, 'powerOff' | 'release' | 'cleanUp'>;
  /** Left out where nothing is pulled. */
  readonly sources?: SourcesPort;
  /** Told what is thought after each look. */
  readonly observe?: (view: EngineView) => void;
  /**
   * Whether this replica surely leads now, by its own clocks; asked right before each order. Left out where no other can
   * lead.
   */
  readonly isLeading?: () => boolean;
  readonly newId: () => string;
  readonly logger: Logger;
  readonly ignore: Ignore;
}
