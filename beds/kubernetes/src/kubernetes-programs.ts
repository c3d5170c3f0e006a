import { existsSync } from 'node:fs';

import { builtProgramPath, builtPrograms, type BuiltProgramName } from './build/built-programs.ts';

const ETCD = '/usr/bin/etcd';
const RUNC = '/usr/sbin/runc';
const NETWORK_PLUGINS = '/usr/lib/cni';

/** The programs of a real control plane. */
export interface KubernetesPrograms {
  readonly apiserver: string;
  readonly controllerManager: string;
  readonly scheduler: string;
  readonly etcd: string;
}

/** The programs of a whole cluster, with nodes. */
export interface ClusterPrograms extends KubernetesPrograms {
  readonly kubelet: string;
  readonly proxy: string;
  readonly containerd: string;
  readonly shim: string;
  readonly ctr: string;
  readonly coredns: string;
  readonly pause: string;
  readonly runc: string;
  /** The folder of the CNI plugins. */
  readonly networkPlugins: string;
}

/** The programs of a control plane, if they are at hand; nothing is built or installed. */
export function findKubernetes(): KubernetesPrograms | undefined {
  return whole({
    apiserver: builtPath('kube-apiserver'),
    controllerManager: builtPath('kube-controller-manager'),
    scheduler: builtPath('kube-scheduler'),
    etcd: ETCD,
  });
}

/** The programs of a cluster, if they are at hand; nothing is built or installed. */
export function findCluster(): ClusterPrograms | undefined {
  const kubernetes = findKubernetes();
  const ofNodes = whole({
    kubelet: builtPath('kubelet'),
    proxy: builtPath('kube-proxy'),
    containerd: builtPath('containerd'),
    shim: builtPath('containerd-shim-runc-v2'),
    ctr: builtPath('ctr'),
    coredns: builtPath('coredns'),
    pause: builtPath('pause'),
    runc: RUNC,
    networkPlugins: NETWORK_PLUGINS,
  });
  return kubernetes && ofNodes && { ...kubernetes, ...ofNodes };
}

/** The paths at which a program of a cluster, Helm or Prometheus should be and is not. */
export function missingPrograms(): readonly string[] {
  const debian = [ETCD, RUNC, NETWORK_PLUGINS];
  return [...builtPrograms.map(builtProgramPath), ...debian].filter((path) => !existsSync(path));
}

/** An etcd of the release that this Kubernetes comes with, if it is at hand. Debian's is years older, and costs the API server more. */
export function findCurrentEtcd(): string | undefined {
  const path = builtPath('etcd');
  return existsSync(path) ? path : undefined;
}

/** Helm, if it is at hand. */
export function findHelm(): string | undefined {
  const path = builtPath('helm');
  return existsSync(path) ? path : undefined;
}

/** Prometheus and its operator. */
export interface PrometheusPrograms {
  readonly prometheus: string;
  readonly operator: string;
}

/** Prometheus and its operator, if they are at hand; nothing is built. */
export function findPrometheus(): PrometheusPrograms | undefined {
  return whole({ prometheus: builtPath('prometheus'), operator: builtPath('prometheus-operator') });
}

function builtPath(name: BuiltProgramName): string {
  const program = builtPrograms.find((each) => each.name === name);
  if (program === undefined) throw new TypeError(`nobody builds ${name}`);
  return builtProgramPath(program);
}

function whole<T extends Readonly<Record<string, string>>>(programs: T): T | undefined {
  return Object.values(programs).every((path) => existsSync(path)) ? programs : undefined;
}
