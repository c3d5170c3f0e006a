import type { KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

import { SYSTEM_NAMESPACE, type MachineAccounts } from '../virtual-machines/machine-accounts.ts';

/** Whom a one-time link signs in. */
const NAME = 'smalt-console-admin';
const MANAGER = 'smalt-up';
const RBAC = 'rbac.authorization.k8s.io';
const TOKEN_SECONDS = 12 * 3_600;

interface Binding extends KubernetesObject {
  readonly roleRef?: object;
  readonly subjects?: readonly object[];
}

const accountKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  isNamespaced: true,
};
const bindingKind: KindReference<Binding> = {
  group: RBAC,
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  isNamespaced: false,
};

/** Makes the account of the one who has this machine, which may do everything. */
export async function installConsoleAdmin(client: KubeClient, signal: AbortSignal): Promise<void> {
  const options = { fieldManager: MANAGER, force: true, signal };
  await client.resource(accountKind).apply(NAME, {}, { ...options, namespace: SYSTEM_NAMESPACE });
  const binding = {
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace: SYSTEM_NAMESPACE }],
  };
  await client.resource(bindingKind).apply(NAME, binding, options);
}

/** What of the console's server makes a link. */
export interface EntryMaker {
  readonly url: string;
  createEntry(token: string): string;
}

/** A link that signs its first user in, as the administrator of this machine, for half a day. */
export async function makeConsoleLink(
  console: EntryMaker,
  accounts: MachineAccounts,
  signal: AbortSignal,
): Promise<string> {
  const token = await accounts.makeToken({ name: NAME }, TOKEN_SECONDS, signal);
  return `${console.url}/enter?code=${encodeURIComponent(console.createEntry(token))}`;
}
