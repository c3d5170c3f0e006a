import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';
import { isNotFound, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

import { SmaltError } from '../smalt-error.ts';

const RBAC = 'rbac.authorization.k8s.io';
const MANAGER = 'smalt-up';

/** A role, a binding or an account, as far as it is compared. */
interface RoleObject extends KubernetesObject {
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
}

const kinds: Readonly<Record<string, KindReference<RoleObject>>> = {
  Namespace: kindOf('', 'Namespace', false),
  ServiceAccount: kindOf('', 'ServiceAccount', true),
  ClusterRole: kindOf(RBAC, 'ClusterRole', false),
  ClusterRoleBinding: kindOf(RBAC, 'ClusterRoleBinding', false),
  Role: kindOf(RBAC, 'Role', true),
  RoleBinding: kindOf(RBAC, 'RoleBinding', true),
};

/** Gives the parts of this process the accounts and the rights that `deploy/` gives them in a cluster, and nothing beyond. */
export async function installRoles(client: KubeClient, signal: AbortSignal): Promise<void> {
  const { roles } = await import('../generated/roles.gen.ts');
  const objects = roles.map(parseJson);
  // In order: the server lets nobody bind a role that is not there yet without asking what that one may do, and takes
  // nothing for a namespace that is not there.
  for (const order of ['namespace', 'role', 'binding'] as const) {
    const now = objects.filter((object) => orderOf(object) === order);
    await Promise.all(now.map((object) => installRole(client, object, signal)));
  }
}

function orderOf(object: unknown): 'namespace' | 'role' | 'binding' {
  if (!isJsonObject(object)) return 'role';
  if (object['kind'] === 'Namespace') return 'namespace';
  return object['roleRef'] === undefined ? 'role' : 'binding';
}

async function installRole(client: KubeClient, object: unknown, signal: AbortSignal): Promise<void> {
  const { kind, metadata } = isJsonObject(object) ? object : {};
  const reference = typeof kind === 'string' ? kinds[kind] : undefined;
  const { name, namespace } = isJsonObject(metadata) ? metadata : {};
  if (reference === undefined || !isJsonObject(object) || typeof name !== 'string') {
    throw new SmaltError('start-failed', `this is no role: ${JSON.stringify(object)}`);
  }
  const place = { namespace: typeof namespace === 'string' ? namespace : undefined, signal };
  const objects = client.resource(reference);
  if (object['roleRef'] !== undefined) {
    const known = await objects.get(name, place).catch(unlessGone);
    // What a binding gives can never be changed; one that gives something else has to go.
    if (known !== undefined && !isSameRole(known, object)) await objects.delete(name, place).catch(unlessGone);
  }
  await objects.apply(name, object, { ...place, fieldManager: MANAGER, force: true });
}

function isSameRole({ roleRef }: RoleObject, { roleRef: wanted }: JsonObject): boolean {
  return isJsonObject(wanted) && roleRef?.kind === wanted['kind'] && roleRef?.name === wanted['name'];
}

function unlessGone(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

function kindOf(group: string, kind: string, isNamespaced: boolean): KindReference<RoleObject> {
  return { group, version: 'v1', kind, plural: `${kind.toLowerCase()}s`, isNamespaced };
}
