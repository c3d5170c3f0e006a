import type { PodKeeper } from '../pods/pod-keeper.ts';

/** What `smalt virt-handler` is told. */
export interface VirtHandlerConfig {
  readonly node: string;
  readonly namespace: string;
  readonly kubeconfig: string;
  readonly state: string;
  readonly sandboxes: PodKeeper;
  readonly pods: string;
  readonly kubelet: { readonly devicePlugins: string };
  readonly hostDisk: { readonly directories: readonly string[] };
  readonly hostDevices: { readonly pci: readonly string[]; readonly mediated: readonly string[] };
  readonly drivers: readonly string[];
  readonly libvirt: { readonly socket: string; readonly runDirectory: string };
  readonly maxStarts: number;
  readonly migration: { readonly uri: string; readonly address: string; readonly encrypt: boolean };
  readonly network: {
    readonly pod: string;
    readonly others: readonly string[];
    readonly bridge: string;
    readonly range: string;
    readonly nameServers: readonly string[];
    readonly shared: boolean;
    readonly ovsDatabase: string;
  };
  readonly logs: {
    readonly journalctl: readonly string[];
    readonly libvirtDirectory: string;
    readonly ovsDirectories: readonly string[];
    readonly agentFiles: readonly string[];
  };
  readonly nodeApi: {
    readonly listen: string;
    readonly advertise: string;
    readonly certificate: string;
    readonly key: string;
    readonly authority: string;
    readonly audience: string;
    readonly formerAudience: string;
    readonly mostStreams: number;
  };
  readonly listen: string;
  readonly log: { readonly level: string; readonly format: string };
}
