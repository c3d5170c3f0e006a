/** Who asks: a person, a program or a service account, after its credential was checked. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export const ALL_AUTHENTICATED = 'system:authenticated';
export const ALL_UNAUTHENTICATED = 'system:unauthenticated';
/** Its members may do everything, whatever the roles say. */
export const MASTERS_GROUP = 'system:masters';
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/** Who asks without any credential. */
export const ANONYMOUS: User = { name: 'system:anonymous', groups: [ALL_UNAUTHENTICATED], extra: {} };

/** The server itself: what its own loops act as. */
export const SYSTEM_USER: User = { name: 'system:apiserver', groups: [MASTERS_GROUP, ALL_AUTHENTICATED], extra: {} };

/** Adds the group of all who showed a credential. */
export function asAuthenticated(user: User): User {
  if (user.name === ANONYMOUS.name || user.groups.includes(ALL_AUTHENTICATED)) return user;
  return { ...user, groups: [...user.groups, ALL_AUTHENTICATED] };
}
