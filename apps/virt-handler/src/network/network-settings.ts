/** How interfaces of instances are connected on this node. */
export interface NetworkSettings {
  /** Where the pod network of instances leads: `nat`, `bridge:NAME`, `ovs:NAME` or `ovs:NAME:VLAN`. */
  readonly podNetwork: string;
  /**
   * Where other networks lead, by `multus.networkName`: `NAME` is there for instances of all namespaces,
   * `NAMESPACE/NAME` for those of one.
   */
  readonly networks: Readonly<Record<string, string>>;
  readonly nat: NatSettings;
  /** The database of Open vSwitch on this node, for networks of the kind `ovs`. */
  readonly ovsDatabase: string;
}

/** The network behind `nat`: the same on every node, so that guests keep their addresses when they move. */
export interface NatSettings {
  readonly bridge: string;
  /** The addresses of guests, such as `10.222.0.0/18`; the first is the node's own. */
  readonly range: string;
  /** Where names are looked up that guests ask for; the name servers of the node when empty. */
  readonly nameServers: readonly string[];
  /** Whether guests of the node may talk to each other there; they may not if not given. */
  readonly isShared?: boolean | undefined;
}

export const defaultNetworkSettings: NetworkSettings = {
  podNetwork: 'nat',
  networks: {},
  nat: { bridge: 'smalt0', range: '10.222.0.0/18', nameServers: [] },
  ovsDatabase: 'unix:/run/openvswitch/db.sock',
};
