import type {
  AggregateStats,
  Flow,
  FlowFilter,
  PortDescription,
  PortStats,
  SwitchFeatures,
  TableStats,
} from '@smalt/openflow';
import type { RequestOptions } from '../unixctl/unixctl.ts';

/** A connection to one bridge. Once it fails it stays failed: open another. */
export interface OpenFlowConnection extends AsyncDisposable {
  readonly socket: string;
  /** `1.3`, `1.4`, … */
  readonly version: string;
  readonly isClosed: boolean;
  features(options?: RequestOptions): Promise<SwitchFeatures>;
  /** One entry for each table, also the empty ones; the cheapest way to count flows. */
  tableStats(options?: RequestOptions): Promise<readonly TableStats[]>;
  aggregate(filter?: FlowFilter, options?: RequestOptions): Promise<AggregateStats>;
  portStats(options?: RequestOptions): Promise<readonly PortStats[]>;
  ports(options?: RequestOptions): Promise<readonly PortDescription[]>;
  /** The flows one by one, read from the switch as fast as they are taken. The deadline is for each part, not for all. */
  flows(filter?: FlowFilter, options?: RequestOptions): AsyncIterable<Flow>;
  /** Asks for a sign of life. */
  echo(options?: RequestOptions): Promise<void>;
}
