import { writeFile } from 'node:fs/promises';

import { isJsonObject, type JsonObject } from '@smalt/json';
import { isAlreadyExists, type KubeClient, type KubeConfig } from '@smalt/kube';

/** Where the parts have their accounts; admission knows them by it. */
export const SYSTEM_NAMESPACE = 'smalt-system';
const ACCOUNTS = `/api/v1/namespaces/${SYSTEM_NAMESPACE}/serviceaccounts`;
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const TOKEN_SECONDS = 86_400;

/** What a part is in the API: `smalt-virt-handler` and so on, bound to a node where its pods would be. */
export interface Member {
  readonly name: string;
  readonly nodeName?: string;
}

/** Makes an account that may do everything, unless it is there, and gives back how to reach the API as it. */
export async function joinAs(admin: KubeClient, { name, nodeName }: Member, signal: AbortSignal): Promise<KubeConfig> {
  const post = async (path: string, object: JsonObject): Promise<unknown> =>
    await admin.request({ method: 'POST', path, body: JSON.stringify(object), signal });
  await unlessThere(post('/api/v1/namespaces', { metadata: { name: SYSTEM_NAMESPACE } }));
  await unlessThere(post(ACCOUNTS, { metadata: { name } }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: SYSTEM_NAMESPACE }];
  await unlessThere(post(BINDINGS, { metadata: { name }, roleRef, subjects }));
  const bound = nodeName === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
  const answer = await post(`${ACCOUNTS}/${name}/token`, { spec: { expirationSeconds: TOKEN_SECONDS, ...bound } });
  return { ...admin.config, identity: { kind: 'token', token: { kind: 'text', text: tokenIn(answer) } } };
}

/** Writes how to reach the API for a process of its own. */
export async function writeKubeconfig(path: string, { server, tls, identity }: KubeConfig): Promise<void> {
  const token = identity.kind === 'token' && identity.token.kind === 'text' ? identity.token.text : '';
  const authority = tls.authority?.kind === 'text' ? tls.authority.text : '';
  const cluster = { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'own',
    contexts: [{ name: 'own', context: { cluster: 'own', user: 'own' } }],
    clusters: [{ name: 'own', cluster }],
    users: [{ name: 'own', user: { token } }],
  };
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
}

async function unlessThere(creation: Promise<unknown>): Promise<void> {
  try {
    await creation;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

function tokenIn(answer: unknown): string {
  const status = isJsonObject(answer) ? answer['status'] : undefined;
  const token = isJsonObject(status) ? status['token'] : undefined;
  if (typeof token !== 'string') throw new TypeError('the API server gives no token');
  return token;
}
