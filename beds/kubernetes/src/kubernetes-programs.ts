import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The version of Kubernetes that our server is compared with. */
export const KUBERNETES_VERSION = '1.36.3';

const CACHE = resolve(import.meta.dirname, '../../../.cache/kubernetes');
const ETCD = '/usr/bin/etcd';

/** The programs of a real control plane. */
export interface KubernetesPrograms {
  readonly apiserver: string;
  readonly etcd: string;
}

/** Where `npm run bed:kubernetes` puts kube-apiserver. */
export function apiserverPath(): string {
  return join(CACHE, `kube-apiserver-${KUBERNETES_VERSION}`);
}

/** The programs, if they are at hand; nothing is built or installed. */
export function findKubernetes(): KubernetesPrograms | undefined {
  const programs = { apiserver: apiserverPath(), etcd: ETCD };
  return existsSync(programs.apiserver) && existsSync(programs.etcd) ? programs : undefined;
}
