import { isJsonObject, type JsonObject } from '@smalt/json';
import type { KubeClient } from '@smalt/kube';

import { ConsoleBedError } from './bed-error.ts';

/** The token of a service account in `default`, which is made with it and bound to these cluster roles. */
export async function accountToken(admin: KubeClient, name: string, clusterRoles: readonly string[]): Promise<string> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await post(admin, accounts, { metadata: { name } });
  for (const role of clusterRoles) {
    await post(admin, '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: `${name}-${role.replaceAll(':', '-')}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
    });
  }
  const { status } = await post(admin, `${accounts}/${name}/token`, { spec: {} });
  const token = isJsonObject(status) ? status['token'] : undefined;
  if (typeof token !== 'string') throw new ConsoleBedError('no-token', `the API server gave ${name} no token`);
  return token;
}

async function post(admin: KubeClient, path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await admin.request({ method: 'POST', path, body: JSON.stringify(body) });
  return isJsonObject(answer) ? answer : {};
}
