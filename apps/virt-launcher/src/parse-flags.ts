import { parseArgs } from 'node:util';

import { LauncherError } from './launcher-error.ts';

/** What a launcher is told. */
export interface LauncherFlags {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly hypervisor: string;
  readonly gracePeriodMs: number;
  /** The directory of the pod on a node of the pod runner; undefined in a container. */
  readonly sandbox: string | undefined;
  /** The cgroup of the guest, below the root of each hierarchy; undefined in a container, whose own it is then. */
  readonly guestCgroup: string | undefined;
  /** Whom the launcher becomes once it has loaded itself and opened its files. */
  readonly user: UserAndGroup | undefined;
  /** Who runs libvirt: the node, or the launcher a daemon of its own. */
  readonly daemon: 'host' | 'launcher';
}

export interface UserAndGroup {
  readonly userId: number;
  readonly groupId: number;
}

export type ParsedFlags =
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'run'; readonly flags: LauncherFlags };

const HELP = `smalt virt-launcher holds the cgroup of one guest, and lives and dies with it.

  --name=NAME                    the VirtualMachineInstance
  --namespace=NAMESPACE          its namespace
  --uid=UID                      its uid
  --hypervisor=DRIVER            its hypervisor, such as qemu-kvm
  --grace-period-seconds=NUMBER  how long the guest may take to end after SIGTERM (30)
  --daemon=host|launcher         who runs libvirt: the node, or this process a daemon of its own (host)
  --sandbox=DIRECTORY            where the pod lies on this node; left out in a container
  --guest-cgroup=PATH            the cgroup of the guest; left out in a container
  --user=UID:GID                 whom to become
`;

const TEXT = { type: 'string' } as const;
const OPTIONS = {
  name: TEXT,
  namespace: TEXT,
  uid: TEXT,
  hypervisor: TEXT,
  'grace-period-seconds': { ...TEXT, default: '30' },
  daemon: { ...TEXT, default: 'host' },
  sandbox: TEXT,
  'guest-cgroup': TEXT,
  user: TEXT,
  help: { type: 'boolean', default: false },
} as const;

/** Reads the flags of a launcher. Throws `bad-flag` with the flag and what it may be. */
export function parseFlags(words: readonly string[]): ParsedFlags {
  const values = readValues(words);
  if (values.help) return { kind: 'help', text: HELP };
  const { daemon, sandbox } = values;
  if (daemon !== 'host' && daemon !== 'launcher') throw badFlag('daemon', daemon, 'host or launcher');
  if (sandbox !== undefined && !sandbox.startsWith('/')) throw badFlag('sandbox', sandbox, 'an absolute path');
  return {
    kind: 'run',
    flags: {
      name: required('name', values.name),
      namespace: required('namespace', values.namespace),
      uid: required('uid', values.uid),
      hypervisor: required('hypervisor', values.hypervisor),
      gracePeriodMs: parseSeconds(values['grace-period-seconds']) * 1000,
      sandbox,
      guestCgroup: values['guest-cgroup'],
      user: values.user === undefined ? undefined : parseUser(values.user),
      daemon,
    },
  };
}

function readValues(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LauncherError('bad-flag', `${reason}; see smalt virt-launcher --help`, { cause });
  }
}

function required(flag: string, value: string | undefined): string {
  if (value === undefined || value === '')
    throw new LauncherError('bad-flag', `--${flag} is missing; give --${flag}=…`);
  return value;
}

const MOST_SECONDS = 2 ** 31 / 1000;

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+$/.test(text)) throw badFlag('grace-period-seconds', text, 'a whole number of seconds');
  // A timer takes no more; three weeks are for ever here.
  return Math.min(seconds, Math.floor(MOST_SECONDS));
}

function parseUser(text: string): UserAndGroup {
  const [, user, group] = /^(\d{1,10}):(\d{1,10})$/.exec(text) ?? [];
  if (user === undefined || group === undefined) throw badFlag('user', text, 'two numbers, such as 107:107');
  return { userId: Number(user), groupId: Number(group) };
}

function badFlag(flag: string, value: string, wanted: string): LauncherError {
  return new LauncherError('bad-flag', `--${flag}: "${value}" is not ${wanted}`);
}
