import type { Clock, LeaseTimes } from '@smalt/controller-runtime';
import type { KubeConfig } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

import type { HostDeviceSettings } from './host-devices/host-device-settings.ts';
import type { DriverTable } from './hypervisor-sessions/driver-settings.ts';
import type { NodeLogSettings } from './logs/log-settings.ts';
import type { NetworkSettings } from './network/network-settings.ts';
import type { NodeApiSettings } from './node-api/node-api-settings.ts';
import type { PodKeeper } from './pods/pod-keeper.ts';

/** Where other nodes and this one find each other's libvirt. */
export interface MigrationOptions {
  /** The libvirt of another node: `{driver}+tls://{address}/system`. */
  readonly peerUri?: string | undefined;
  /** The address by which other nodes reach this one; the first of the machine if not given. */
  readonly address?: string | undefined;
  /** Whether the hosts have certificates by which QEMU can encrypt what it sends. */
  readonly canEncrypt?: boolean | undefined;
  /** Whether a wall is around the nodes, so that plain TCP between them is nothing to warn of. */
  readonly isWalled?: boolean | undefined;
}

/** What a handler is told. Only the first three have to be; the rest has the defaults of the command line. */
export interface VirtHandlerOptions {
  readonly nodeName: string;
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
  /** Where the Lease of the handler lives; `smalt-system` if not given. */
  readonly namespace?: string | undefined;
  /** Holds the files of instances, at the same path on every node; `/var/lib/smalt/virt-handler` if not given. */
  readonly stateDirectory?: string | undefined;
  /** Who runs the pods of this node; the kubelet where its socket is in `devicePlugins`, else the pod runner, if not given. */
  readonly sandboxes?: PodKeeper | undefined;
  /** Where the pod runner keeps what it makes; `/var/lib/smalt/pods` if not given. */
  readonly podsDirectory?: string | undefined;
  /** Below which directories of this node instances may have their `hostDisk`; nowhere if not given. */
  readonly hostDiskDirectories?: readonly string[] | undefined;
  /** The drivers that this node offers; all with the libvirt of the operating system if not given. */
  readonly drivers?: DriverTable | undefined;
  /** Where a kubelet of this node has its socket for device plugins; undefined: the handler offers the devices itself. */
  readonly devicePlugins?: string | undefined;
  /** Where the files of the machine are, as seen from here; those of its first process if not given. */
  readonly machineDirectory?: string | undefined;
  /** Which devices of the machine guests may have; none if not given. */
  readonly hostDevices?: HostDeviceSettings | undefined;
  readonly networks?: NetworkSettings | undefined;
  /** The network namespace that guests are connected in; that of this process if not given. */
  readonly networkNamespace?: string | undefined;
  readonly migration?: MigrationOptions | undefined;
  /** Where the logs of the node are; where Debian has them for what is not given. */
  readonly logs?: Partial<NodeLogSettings> | undefined;
  /** How many guests are started at a time. */
  readonly maxStarts?: number | undefined;
  /** Undefined serves no node API: no consoles, no calls to guests. */
  readonly nodeApi?: NodeApiSettings | undefined;
  /** How often the node is told that its handler lives. */
  readonly heartbeatMs?: number | undefined;
  readonly lease?: LeaseTimes | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  readonly clock?: Clock | undefined;
  /** What credential plugins of the kubeconfig run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export const DEFAULT_STATE_DIRECTORY = '/var/lib/smalt/virt-handler';
/** A handler in a container sees the machine by its first process. */
export const DEFAULT_MACHINE_DIRECTORY = '/proc/1/root';
/** Where the Lease of a handler lives. */
export const DEFAULT_NAMESPACE = 'smalt-system';

/** A handler at work. Disposing of it stops it and gives the node up; guests run on. */
export interface VirtHandler extends AsyncDisposable {
  /** The port of the node API, where it is served. */
  readonly nodeApiPort: number | undefined;
  /** Resolves when it was told to stop and has; rejects when it cannot go on. */
  readonly ended: Promise<void>;
}
