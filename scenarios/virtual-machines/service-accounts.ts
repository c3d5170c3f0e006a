import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isJsonObject, type JsonObject } from '@smalt/json';
import type { KubeClient, KubeConfig } from '@smalt/kube';

/** Where the control plane has its accounts. */
export const SYSTEM_NAMESPACE = 'smalt-system';
const ACCOUNTS = `/api/v1/namespaces/${SYSTEM_NAMESPACE}/serviceaccounts`;
const MEMBERS = [
  'smalt-virt-api',
  'smalt-virt-controller',
  'smalt-scheduler',
  'smalt-pod-runner',
  'smalt-virt-handler',
];

/** Makes the accounts that parts of the control plane act as. */
export class ServiceAccounts {
  readonly #admin: KubeClient;
  readonly #directory: string;
  readonly #members: readonly string[];

  constructor(admin: KubeClient, directory: string, members: readonly string[] = MEMBERS) {
    this.#admin = admin;
    this.#directory = directory;
    this.#members = members;
  }

  async open(): Promise<void> {
    await this.#post('/api/v1/namespaces', { metadata: { name: SYSTEM_NAMESPACE } });
    for (const name of this.#members) await this.#create(name);
  }

  /** Makes an account that may do everything. */
  async #create(name: string): Promise<void> {
    await this.#post(ACCOUNTS, { metadata: { name } });
    await this.#post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name, namespace: SYSTEM_NAMESPACE }],
    });
  }

  /** How a part reaches the API as itself; one that is bound to a node must be told of it, as those of its pods are. */
  async member(name: string, nodeName?: string): Promise<KubeConfig> {
    const bound = nodeName === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
    const answer = await this.#post(`${ACCOUNTS}/${name}/token`, { spec: { expirationSeconds: 86_400, ...bound } });
    const told = isJsonObject(answer['status']) ? answer['status']['token'] : undefined;
    const token = typeof told === 'string' ? told : '';
    return { ...this.#admin.config, identity: { kind: 'token', token: { kind: 'text', text: token } } };
  }

  /** The same as a file, for a process of its own. */
  async kubeconfig(name: string, nodeName?: string): Promise<string> {
    const { server, tls, identity } = await this.member(name, nodeName);
    const token = identity.kind === 'token' && identity.token.kind === 'text' ? identity.token.text : '';
    const authority = tls.authority?.kind === 'text' ? tls.authority.text : '';
    const cluster = { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { token } }],
    };
    const path = join(this.#directory, `${nodeName ?? 'cluster'}-${name}.kubeconfig`);
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  }

  async #post(path: string, body: JsonObject): Promise<JsonObject> {
    const answer = await this.#admin.request({ method: 'POST', path, body: JSON.stringify(body) });
    return isJsonObject(answer) ? answer : {};
  }
}
