const PREFIX = 'system:serviceaccount:';
const ALL_SERVICE_ACCOUNTS = 'system:serviceaccounts';

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** What a service account is called as a user: `system:serviceaccount:NAMESPACE:NAME`. */
export function serviceAccountUserName({ namespace, name }: ServiceAccountName): string {
  return `${PREFIX}${namespace}:${name}`;
}

/** The groups every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return [ALL_SERVICE_ACCOUNTS, `${ALL_SERVICE_ACCOUNTS}:${namespace}`];
}

const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Reads the name of a user; undefined when it is not that of a service account. */
export function parseServiceAccountUserName(userName: string): ServiceAccountName | undefined {
  if (!userName.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', ...rest] = userName.slice(PREFIX.length).split(':');
  const isValid = rest.length === 0 && NAMESPACE.test(namespace) && name.length <= 253 && NAME.test(name);
  return isValid ? { namespace, name } : undefined;
}
