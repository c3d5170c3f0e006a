/** What an OVS agent answers to `GET /v1/topology`: what is plugged in where. */
export interface SwitchTopology {
  /** When it was so, in ISO 8601. */
  readonly at: string;
  readonly bridges: readonly TopologyBridge[];
  /** Why it is not known which members of bonds carry traffic, where it is not. */
  readonly bondsUnknown?: string;
}

export interface TopologyBridge {
  readonly name: string;
  readonly ports: readonly TopologyPort[];
}

/** A port; one with several interfaces is a bond. */
export interface TopologyPort {
  readonly name: string;
  /** How a bond spreads traffic; left out for other ports. */
  readonly bondMode?: string;
  readonly interfaces: readonly TopologyInterface[];
}

export interface TopologyInterface {
  readonly name: string;
  /** Empty for a device of the kernel; `internal`, `patch`, `geneve`, … */
  readonly type: string;
  /** Its OpenFlow number. */
  readonly number?: number;
  readonly link: 'Up' | 'Down' | 'Unknown';
  /** Why Open vSwitch cannot use it. */
  readonly error?: string;
  /** The port of a logical network that it is. */
  readonly logicalPort?: string;
  /** The other end of a patch: the name of an interface. */
  readonly peer?: string;
  /** The other end of a tunnel. */
  readonly remote?: string;
  /** Whether it is a network card of the host. */
  readonly isCard?: boolean;
  /** Of the member of a bond: whether it carries traffic. */
  readonly isEnabled?: boolean;
  /** Of the member of a bond: whether it is the one that is preferred. */
  readonly isActive?: boolean;
}
