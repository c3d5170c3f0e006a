import { join } from 'node:path';

import { isDraft } from '@smalt/files';

const ROOT = 0;
/** Where programs of Smalt keep what they know of a machine. */
export const MACHINE_DIRECTORY = '/var/lib/smalt';

export interface UserSurroundings {
  readonly userId: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Where the state of this machine lives if nobody says otherwise. */
export function defaultDataDirectory({ userId, environment, home }: UserSurroundings): string {
  if (userId === ROOT) return MACHINE_DIRECTORY;
  const state = environment['XDG_STATE_HOME'];
  // The specification has paths that are not absolute ignored.
  return join(state?.startsWith('/') === true ? state : join(home, '.local/state'), 'smalt');
}

/** What lies where in a data directory. These are all the names that Smalt makes in it, and all that a purge removes. */
export const dataNames = {
  /** Says whose directory it is. */
  mark: 'smalt.json',
  /** Says who uses it. */
  claim: 'up.json',
  control: 'control.sock',
  apiServer: 'apiserver',
  accounts: 'accounts',
  libvirt: 'libvirt',
  nodeAgent: 'node-agent',
  pki: 'pki',
  pods: 'pods',
  images: 'images',
  volumes: 'volumes',
  /** What machines may have as host disks. */
  hostDisks: 'host-disks',
  virtHandler: 'virt-handler',
  ovsAgent: 'ovs-agent',
  highAvailability: 'ha',
  console: 'console',
  /** What the agents of this machine write. */
  logs: 'logs',
  hosts: 'hosts',
  /** What each host on this machine sees as its own. */
  ownOfHost: 'n',
  /** What all hosts on this machine see. */
  shared: 'shared',
  /** What an OpenStack of this machine keeps. */
  openStack: 'openstack',
  /** Says that the demo was made once. */
  demo: 'demo-made',
} as const;

/** The path of something in a data directory. */
export function dataPath(directory: string, name: keyof typeof dataNames): string {
  return join(directory, dataNames[name]);
}

/** The names in a data directory that are not Smalt's. */
export function strangeNames(found: readonly string[]): readonly string[] {
  const own: readonly string[] = Object.values(dataNames);
  return found.filter((name) => !own.includes(name) && !isDraft(name)).toSorted();
}
