import { badRequestError } from '../errors/make-status-error.ts';
import { requestForbiddenError } from '../authorization/forbidden.ts';
import { resourceAttributes, type Attributes, type Authorizer } from '../authorization/authorizer.ts';
import { parseServiceAccountUserName, serviceAccountGroups } from './service-account-name.ts';
import { ALL_AUTHENTICATED, ALL_UNAUTHENTICATED, ANONYMOUS, type User } from './user.ts';

const USER = 'impersonate-user';
const GROUP = 'impersonate-group';
const UID = 'impersonate-uid';
const EXTRA = 'impersonate-extra-';
const AUTHENTICATION_GROUP = 'authentication.k8s.io';

interface Wanted {
  readonly userName: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/**
 * Whom a request acts as: another user when it has the headers for it and the one who asks may impersonate every part
 * of that user, else the one who asks. The headers are given raw, names and values in turn, because a group may stand
 * there more than once.
 */
export function impersonatedUser(authorizer: Authorizer, user: User, rawHeaders: readonly string[]): User {
  const wanted = readHeaders(rawHeaders);
  if (wanted === undefined) return user;
  for (const attributes of permissionsFor(wanted)) {
    const { allowed, reason } = authorizer.authorize(user, attributes);
    if (!allowed) throw requestForbiddenError(user, attributes, reason);
  }
  return {
    name: wanted.userName,
    groups: groupsOf(wanted),
    extra: Object.fromEntries(wanted.extra),
    ...(wanted.uid === '' ? {} : { uid: wanted.uid }),
  };
}

function readHeaders(rawHeaders: readonly string[]): Wanted | undefined {
  let userName = '';
  let uid = '';
  const groups: string[] = [];
  const extra = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!name.startsWith('impersonate-')) continue;
    // Headers arrive as bytes; names of users are UTF-8.
    const value = Buffer.from(rawHeaders[index + 1] ?? '', 'latin1').toString('utf8');
    if (name === USER) userName ||= value;
    else if (name === UID) uid ||= value;
    else if (name === GROUP) groups.push(value);
    else if (name.startsWith(EXTRA)) appendTo(extra, unescapeKey(name.slice(EXTRA.length)), value);
  }
  if (userName !== '') return { userName, groups, uid, extra };
  if (groups.length === 0 && extra.size === 0 && uid === '') return undefined;
  const list = printWanted({ userName, groups, uid, extra });
  throw badRequestError(`requested [${list}] without impersonating a user`);
}

function permissionsFor({ userName, groups, uid, extra }: Wanted): readonly Attributes[] {
  const verb = 'impersonate';
  const account = parseServiceAccountUserName(userName);
  const group = AUTHENTICATION_GROUP;
  const version = 'v1';
  return [
    account === undefined
      ? resourceAttributes({ verb, resource: 'users', name: userName })
      : resourceAttributes({ verb, resource: 'serviceaccounts', ...account }),
    ...groups.map((name) => resourceAttributes({ verb, resource: 'groups', name })),
    ...[...extra].flatMap(([subresource, values]) =>
      values.map((name) => resourceAttributes({ verb, group, version, resource: 'userextras', subresource, name })),
    ),
    ...(uid === '' ? [] : [resourceAttributes({ verb, group, version, resource: 'uids', name: uid })]),
  ];
}

function groupsOf({ userName, groups }: Wanted): readonly string[] {
  const account = parseServiceAccountUserName(userName);
  // The groups of a service account are known, so they need not be asked for.
  const own = groups.length === 0 && account !== undefined ? serviceAccountGroups(account.namespace) : groups;
  if (userName === ANONYMOUS.name) {
    return own.includes(ALL_UNAUTHENTICATED) ? own : [...own, ALL_UNAUTHENTICATED];
  }
  const isSaid = own.includes(ALL_AUTHENTICATED) || own.includes(ALL_UNAUTHENTICATED);
  return isSaid ? own : [...own, ALL_AUTHENTICATED];
}

/** As Kubernetes prints what was asked for: kind, namespace, name, uid, apiVersion, resourceVersion and path. */
function printWanted({ groups, uid, extra }: Wanted): string {
  const version = `${AUTHENTICATION_GROUP}/v1`;
  return [
    ...groups.map((group) => `{Group  ${group}    }`),
    ...[...extra].flatMap(([key, values]) => values.map((value) => `{UserExtra  ${value}  ${version}  ${key}}`)),
    ...(uid === '' ? [] : [`{UID  ${uid}  ${version}  }`]),
  ].join(' ');
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key; // Kept as it is, so that it shows up in the refusal and in the audit log.
  }
}

function appendTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
