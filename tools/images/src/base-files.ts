import { ImagesError } from './images-error.ts';
import { NONROOT, type Account } from './recipes.ts';
import { directory, file, link, type TreeEntry } from './tree/file-tree.ts';
import { MERGED_DIRECTORIES } from './tree/merged-path.ts';
import type { FilePool } from './tree/select-files.ts';

const ROOT: Account = { name: 'root', id: 0, groupId: 0, home: '/root' };
const NOBODY: Account = { name: 'nobody', id: 65_534, groupId: 65_534, home: '/nonexistent' };

/** Where whoever runs a container mounts something; with a read-only root nobody could make them then. */
const MOUNT_POINTS = ['dev', 'etc', 'opt', 'proc', 'run', 'sys', 'usr', 'var', 'var/lib', 'var/log'] as const;

/** What no package brings: directories, accounts, and how names are looked up. */
export function baseFiles(pool: FilePool): ReadonlyMap<string, TreeEntry> {
  return new Map<string, TreeEntry>([
    ...MERGED_DIRECTORIES.map((name) => [name, link(`usr/${name}`)] as const),
    ...MERGED_DIRECTORIES.map((name) => [`usr/${name}`, directory()] as const),
    ...MOUNT_POINTS.map((name) => [name, directory()] as const),
    ['root', directory(0o700)],
    ['tmp', directory(0o1777)],
    ['var/run', link('/run')],
    ['var/tmp', directory(0o1777)],
    // Whoever runs a container mounts a better one over it; without any, a process does not find itself.
    ['etc/hosts', file('127.0.0.1 localhost\n::1 localhost\n')],
    ['etc/nsswitch.conf', file('passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n')],
    ['etc/ssl/certs/ca-certificates.crt', file(certificateBundle(pool))],
    ...accountFiles([], {}),
  ]);
}

/** `/etc/passwd` and `/etc/group` with these accounts beside those that every image has. */
export function accountFiles(
  accounts: readonly Account[],
  groups: Readonly<Record<string, number>>,
): ReadonlyMap<string, TreeEntry> {
  const all = [ROOT, NONROOT, NOBODY, ...accounts];
  const own = all.filter(({ id, groupId }) => id === groupId);
  const groupIds = [
    ...own.map(({ name, id }) => [name === 'nobody' ? 'nogroup' : name, id]),
    ...Object.entries(groups),
  ];
  const lines = all.map(({ name, id, groupId, home }) => `${name}:x:${id}:${groupId}::${home}:/usr/sbin/nologin\n`);
  // Who starts guests takes along the further groups of their account.
  const members = accounts.map(({ name }) => name).join(',');
  const groupLines = groupIds.map(([name, id]) => `${name}:x:${id}:${String(name) in groups ? members : ''}\n`);
  return new Map([
    ['etc/passwd', file(lines.join(''))],
    ['etc/group', file(groupLines.join(''))],
  ]);
}

/** As update-ca-certificates makes it of the package ca-certificates. */
function certificateBundle(pool: FilePool): string {
  const certificates = [...pool]
    .filter(([path]) => path.startsWith('usr/share/ca-certificates/') && path.endsWith('.crt'))
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, { entry }]) => (entry.kind === 'file' ? [entry.content.toString().trim()] : []));
  if (certificates.length > 0) return `${certificates.join('\n')}\n`;
  throw new ImagesError('missing-file', 'the package ca-certificates has no certificates');
}
