import { join, resolve } from 'node:path';

/** The version of Kubernetes that our server is compared with. */
export const KUBERNETES_VERSION = '1.36.3';
/** Of the release that this Kubernetes comes with. */
const ETCD_VERSION = '3.6.16';
const CONTAINERD_VERSION = '2.4.2';
const HELM_VERSION = '4.3.1';
const COREDNS_VERSION = '1.15.0';
/** As its module counts: 0.313.1 is Prometheus 3.13.1. */
const PROMETHEUS_VERSION = '0.313.1';
const PROMETHEUS_OPERATOR_VERSION = '0.93.1';
const PAUSE_VERSION = '1.0.0';

const CACHE = resolve(import.meta.dirname, '../../../../.cache/kubernetes');
const MODULES = resolve(import.meta.dirname, '../../go');

export type BuiltProgramName =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'kubelet'
  | 'kube-proxy'
  | 'containerd'
  | 'containerd-shim-runc-v2'
  | 'ctr'
  | 'helm'
  | 'coredns'
  | 'prometheus'
  | 'prometheus-operator'
  | 'pause';

/** A program that is built from a Go module. */
export interface BuiltProgram {
  readonly name: BuiltProgramName;
  readonly version: string;
  /** The folder of ours whose go.mod names the version of all that it is built of. */
  readonly module: string;
  readonly package: string;
  readonly tags: readonly string[];
  /** Whether it is one file that runs anywhere, in an image without other files too. */
  readonly isStatic: boolean;
  readonly linkerFlags: readonly string[];
}

/** All that the bed consists of but Debian's own, in the order in which it is built. */
export const builtPrograms: readonly BuiltProgram[] = [
  plain('pause', 'pause', PAUSE_VERSION, '.'),
  plain('etcd', 'etcd', ETCD_VERSION, 'go.etcd.io/etcd/server/v3'),
  ofKubernetes('kube-apiserver'),
  ofKubernetes('kube-controller-manager'),
  ofKubernetes('kube-scheduler'),
  ofKubernetes('kubelet'),
  ofKubernetes('kube-proxy'),
  ofContainerd('containerd'),
  ofContainerd('containerd-shim-runc-v2'),
  ofContainerd('ctr'),
  plain('coredns', 'coredns', COREDNS_VERSION, 'github.com/coredns/coredns'),
  plain('helm', 'helm', HELM_VERSION, 'helm.sh/helm/v4/cmd/helm'),
  ofPrometheus('prometheus', PROMETHEUS_VERSION, 'github.com/prometheus/prometheus/cmd/prometheus'),
  ofPrometheus(
    'prometheus-operator',
    PROMETHEUS_OPERATOR_VERSION,
    'github.com/prometheus-operator/prometheus-operator/cmd/operator',
  ),
];

/** Where `npm run bed:kubernetes -- --build` puts a program. */
export function builtProgramPath({ name, version }: Pick<BuiltProgram, 'name' | 'version'>): string {
  return join(CACHE, `${name}-${version}`);
}

function plain(name: BuiltProgramName, module: string, version: string, path: string): BuiltProgram {
  return {
    name,
    version,
    module: join(MODULES, module),
    package: path,
    tags: [],
    isStatic: true,
    linkerFlags: ['-s', '-w'],
  };
}

function ofContainerd(name: BuiltProgramName): BuiltProgram {
  const path = `github.com/containerd/containerd/v2/cmd/${name}`;
  // The tags leave out snapshots on file systems that want libraries of C.
  return { ...plain(name, 'containerd', CONTAINERD_VERSION, path), tags: ['no_btrfs', 'no_devmapper', 'no_zfs'] };
}

function ofPrometheus(name: BuiltProgramName, version: string, path: string): BuiltProgram {
  // As Kubernetes is built, with which both share many packages. Prometheus is to find targets by nothing but Kubernetes.
  const tags = ['remove_all_sd', 'enable_kubernetes_sd'];
  return { ...plain(name, 'prometheus', version, path), tags, isStatic: false };
}

// Without these it calls itself v0.0.0, and clients judge a server by its version.
function ofKubernetes(name: BuiltProgramName): BuiltProgram {
  const [major, minor] = KUBERNETES_VERSION.split('.');
  const values = { gitVersion: `v${KUBERNETES_VERSION}`, gitMajor: major, gitMinor: minor };
  const settings = Object.entries(values).map(([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`);
  const base = plain(name, 'kubernetes', KUBERNETES_VERSION, `k8s.io/kubernetes/cmd/${name}`);
  return { ...base, isStatic: false, linkerFlags: [...base.linkerFlags, ...settings] };
}
