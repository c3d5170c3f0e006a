import type { Clock, LeaseTimes } from '@smalt/controller-runtime';
import type { KubeConfig } from '@smalt/kube';
import type { TlsFiles } from '@smalt/ovs';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';
import type { HealthSettings } from '@smalt/switch-health';

import type { TroubleshootingSettings } from './troubleshoot/troubleshooting-settings.ts';

/** How often things are looked at, and how long an answer may take. */
export interface AgentTimes {
  /** How often ovs-vswitchd is asked what no event tells. */
  readonly refreshMs: number;
  /** How often ovn-controller is asked whether it is connected. */
  readonly controllerMs: number;
  /** How often the OVSNode is written when nothing but counters changed. */
  readonly countersMs: number;
  /** How long an answer may take. */
  readonly answerMs: number;
  /** How often flows are compared with the southbound database; 0 never. */
  readonly scanMs: number;
  /** How often libvirt is asked for its guests; a port has to look orphaned for a minute anyhow. */
  readonly guestsMs: number;
}

export const DEFAULT_TIMES: AgentTimes = {
  refreshMs: 10_000,
  controllerMs: 1_000,
  countersMs: 60_000,
  answerMs: 3_000,
  scanMs: 900_000,
  guestsMs: 30_000,
};

export const DEFAULT_WRITES_PER_MINUTE = 20;

/** Where the OVSNode and the Lease of the agent live. */
export const DEFAULT_NAMESPACE = 'ovn-system';

/** Where Open vSwitch and OVN have their sockets and pid files. */
export const RUN_DIRECTORIES: readonly string[] = [
  '/var/run/openvswitch',
  '/run/openvswitch',
  '/run/ovn',
  '/var/run/ovn',
];

export interface SouthboundOptions {
  /** For `ssl:` remotes. */
  readonly tls?: TlsFiles | undefined;
  /** How long the database may say nothing before it is asked whether it lives, and how long it may take to answer; 10 s each. */
  readonly answerMs?: number | undefined;
}

/** What an agent is told. Only the first three have to be; the rest has the defaults of the command line. */
export interface OvsAgentOptions {
  /** The name of the node, and of its OVSNode. */
  readonly nodeName: string;
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
  /** Where the OVSNode and the Lease of the agent live; `ovn-system` if not given. */
  readonly namespace?: string | undefined;
  /** Where sockets and pid files are looked for, in this order. */
  readonly runDirectories?: readonly string[] | undefined;
  /** Where the file system of the host is seen: `/`, or what a container has it mounted at. */
  readonly root?: string | undefined;
  /** Where `/sys` shows the devices of the host; below `root` if not given. */
  readonly sysfs?: string | undefined;
  /** How patient the judgement is, and what it looks for. */
  readonly judgement?: Partial<HealthSettings> | undefined;
  readonly times?: Partial<AgentTimes> | undefined;
  /** How often the OVSNode may be written, beside a few writes at once now and then; 20 a minute if not given. */
  readonly writesPerMinute?: number | undefined;
  /** Undefined does not read the southbound database. */
  readonly southbound?: SouthboundOptions | undefined;
  /** Undefined does not ask libvirt for its guests. */
  readonly libvirtUri?: string | undefined;
  /** Undefined does not serve the troubleshooting API. */
  readonly troubleshooting?: TroubleshootingSettings | undefined;
  /** The directory of the lock that keeps a second agent off this node; undefined leaves that to the Lease alone. */
  readonly lockDirectory?: string | undefined;
  readonly lease?: LeaseTimes | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  readonly clock?: Clock | undefined;
  /** From 0 to 1. */
  readonly random?: (() => number) | undefined;
  /** What credential plugins of the kubeconfig run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}
