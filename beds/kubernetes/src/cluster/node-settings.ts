import { CLUSTER_DOMAIN, DNS_ADDRESS, POD_RANGE, podRange } from './addresses.ts';

/** The image that holds the namespaces of each pod. */
export const PAUSE_IMAGE = 'smalt.local/bed/pause:1';
export const CONTAINERD_SOCKET = '/run/containerd/containerd.sock';
/** Where a node has what its daemons are told. */
export const SETTINGS = '/etc/kubernetes';

export const PROXY_HEALTH_PORT = 10_256;

export interface NodeSettings {
  readonly name: string;
  readonly number: number;
  readonly address: string;
  readonly snapshotter: string;
  /** Where the CNI plugins are. */
  readonly networkPlugins: string;
  readonly runc: string;
  readonly featureGates: Readonly<Record<string, boolean>>;
}

export function containerdConfig({ snapshotter, networkPlugins, runc }: NodeSettings): string {
  return `version = 3
root = "/var/lib/containerd"
state = "/run/containerd"

[grpc]
address = "${CONTAINERD_SOCKET}"

[plugins."io.containerd.cri.v1.images"]
snapshotter = "${snapshotter}"

[plugins."io.containerd.cri.v1.images".pinned_images]
sandbox = "${PAUSE_IMAGE}"

[plugins."io.containerd.cri.v1.runtime"]
# Where the machine itself may not make processes harder to kill, its pods may not either.
restrict_oom_score_adj = true
# Profiles are loaded for the whole machine, and would stay.
disable_apparmor = true

[plugins."io.containerd.cri.v1.runtime".cni]
bin_dirs = ["${networkPlugins}"]
conf_dir = "/etc/cni/net.d"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
BinaryName = "${runc}"
SystemdCgroup = false
`;
}

/** Each pod hangs on a link of its own, so that answers of a Service's pods pass the node, which knows who was asked. */
export function networkConfig({ number }: NodeSettings): string {
  const ipam = {
    type: 'host-local',
    ranges: [[{ subnet: podRange(number) }]],
    routes: [{ dst: '0.0.0.0/0' }],
    dataDir: '/run/cni',
  };
  return JSON.stringify({
    cniVersion: '1.0.0',
    name: 'bed',
    plugins: [
      { type: 'ptp', ipam },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  });
}

export function kubeletConfig({ featureGates }: NodeSettings): string {
  return JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: `${SETTINGS}/ca.crt` },
    },
    authorization: { mode: 'Webhook' },
    containerRuntimeEndpoint: `unix://${CONTAINERD_SOCKET}`,
    cgroupDriver: 'cgroupfs',
    // Machines with the first version of cgroups are still about.
    failCgroupV1: false,
    failSwapOn: false,
    clusterDNS: [DNS_ADDRESS],
    clusterDomain: CLUSTER_DOMAIN,
    // It may not be made harder to kill where the machine itself may not make it so.
    oomScoreAdj: 0,
    makeIPTablesUtilChains: false,
    // The disk is that of the machine: how full it is says nothing about the node.
    imageGCHighThresholdPercent: 100,
    evictionHard: { 'nodefs.available': '0%', 'nodefs.inodesFree': '0%', 'imagefs.available': '0%' },
    featureGates,
  });
}

export function proxyConfig({ name, address, featureGates }: NodeSettings): string {
  return JSON.stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    clientConnection: { kubeconfig: `${SETTINGS}/proxy.kubeconfig` },
    hostnameOverride: name,
    bindAddress: address,
    healthzBindAddress: `${address}:${PROXY_HEALTH_PORT}`,
    metricsBindAddress: '127.0.0.1:10249',
    mode: 'nftables',
    clusterCIDR: POD_RANGE,
    detectLocalMode: 'ClusterCIDR',
    oomScoreAdj: 0,
    // They are set for the whole machine.
    conntrack: { maxPerCore: 0, min: 0, tcpCloseWaitTimeout: '0s', tcpEstablishedTimeout: '0s' },
    featureGates,
  });
}

/** What a kubelet wants to find in settings of the whole machine, so that it leaves them alone. */
export const KERNEL_SETTINGS: Readonly<Record<string, string>> = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
};
