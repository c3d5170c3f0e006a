import type { Clock, LeaseTimes } from '@smalt/controller-runtime';
import type { HaAgentSettings } from '@smalt/ha-agent';
import type { KubeConfig } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

/** Which daemon an agent reports on: one that the host provides, or one that the agent starts and keeps running. */
export type LibvirtChoice =
  | { readonly kind: 'host'; readonly uri: string }
  | { readonly kind: 'managed'; readonly directory: string };

export interface CertificateOptions {
  /** Whether to install the TLS secret of the host for libvirt. */
  readonly install: boolean;
  /** Below which the files of libvirt's certificates lie. */
  readonly directory: string;
  /** The only namespace the secret is taken from; that of the agent if not given. */
  readonly namespace?: string | undefined;
  /** The name or number of the account that guests run under; found out if not given. */
  readonly guestAccount?: string | undefined;
}

/** What an agent is told. Only the first five have to be; the rest has the defaults of the command line. */
export interface NodeAgentOptions {
  /** The name of the node, and of its Hypervisor. */
  readonly nodeName: string;
  readonly kubeConfig: KubeConfig;
  readonly libvirt: LibvirtChoice;
  /** Where the agent keeps what must outlive it. */
  readonly stateDirectory: string;
  readonly logger: Logger;
  /** Where Migrations and the Lease live; that of the kubeconfig if not given. */
  readonly namespace?: string | undefined;
  /** Whether to make the Hypervisor where there is none. On a cluster the operator does that. */
  readonly register?: boolean | undefined;
  /** How often to look for what no event tells. */
  readonly pollMs?: number | undefined;
  /** How long a domain may take to describe itself before it is given up until the next poll. */
  readonly domainTimeoutMs?: number | undefined;
  /** Where the system of the host is seen: `/`, or what a container has it mounted at. */
  readonly root?: string | undefined;
  /** The socket of the system bus; no units, updates and reboots are seen without one. */
  readonly busPath?: string | undefined;
  /** The units that become conditions. */
  readonly units?: readonly string[] | undefined;
  readonly certificates?: CertificateOptions | undefined;
  /** What is run to hold back a shutdown; a container may have to reach for the host's. */
  readonly inhibitCommand?: readonly string[] | undefined;
  /** How long an update of the operating system may take. */
  readonly updateLimitMs?: number | undefined;
  /** How long a reboot is held back at most, while guests move away. */
  readonly rebootLimitMs?: number | undefined;
  readonly migrations?: { readonly timeToLiveMs: number } | undefined;
  /** What is reported to the HA service; without one the HA agent does not run. */
  readonly ha?: HaAgentSettings | undefined;
  readonly lease?: LeaseTimes | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  readonly clock?: Clock | undefined;
  /** What credential plugins of the kubeconfig run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}
