import type { NodeLogUnit } from '@smalt/vm-api';

/** The units of systemd that write what is asked for; a pattern stands for all that begin so. */
export const NODE_LOG_UNITS: Readonly<Record<NodeLogUnit, readonly string[]>> = {
  libvirt: ['libvirtd', 'virtqemud', 'virtlxcd', 'virtchd', 'virtlogd', 'virtproxyd', 'virtstoraged', 'virtnetworkd'],
  ovs: ['openvswitch-switch', 'ovs-vswitchd', 'ovsdb-server', 'ovn-controller', 'ovn-host'],
  agents: ['smalt*'],
};

/** Where the logs of a node are. */
export interface NodeLogSettings {
  /** The program that reads the journal, with the words before its own; nothing where there is none. */
  readonly journalctl: readonly string[];
  /** What is `/var/log/libvirt` to the libvirt of this node, as seen from here. */
  readonly libvirtDirectory: string;
  readonly ovsDirectories: readonly string[];
  /** What our own programs write to, where that is not the journal. */
  readonly agentFiles: readonly string[];
}

/** Where Debian and its relatives have them. */
export const NODE_LOG_DEFAULTS: NodeLogSettings = {
  journalctl: ['journalctl'],
  libvirtDirectory: '/var/log/libvirt',
  ovsDirectories: ['/var/log/openvswitch', '/var/log/ovn'],
  agentFiles: [],
};
