/** One address that a bridge learned. */
export interface ForwardingEntry {
  /** The OpenFlow number of the port, or `LOCAL`. */
  readonly port: string;
  readonly vlan: number;
  readonly mac: string;
  /** Undefined for an entry that was set by hand and does not age. */
  readonly ageSeconds: number | undefined;
}

/** One datapath with its bridges, as `dpif/show` tells it. */
export interface DatapathReport {
  readonly name: string;
  readonly hits: bigint | undefined;
  readonly misses: bigint | undefined;
  readonly bridges: readonly DatapathBridge[];
}

export interface DatapathBridge {
  readonly name: string;
  readonly ports: readonly DatapathPort[];
}

export interface DatapathPort {
  readonly name: string;
  readonly openFlowPort: number;
  /** Undefined for a port without a number of its own: a patch port. */
  readonly datapathPort: number | undefined;
  /** `system`, `patch`, `dummy-internal`, …, without its settings. */
  readonly type: string;
}

/** What a datapath did with packets: `dpctl/show`. */
export interface DatapathCounters {
  readonly name: string;
  readonly hits: bigint;
  readonly misses: bigint;
  readonly lost: bigint;
  readonly flows: bigint | undefined;
}
