import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { AgentError } from '../agent-error.ts';
import type { Account } from './plan-installation.ts';

/** The accounts that distributions let QEMU run under where qemu.conf says nothing. */
const USUAL_NAMES = ['libvirt-qemu', 'qemu'];
const USER_LINE = /^[ \t]*user[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|(\d+))/gm;
const NUMBER = /^\+?(\d{1,10})$/;

export interface GuestAccountView {
  /** The name or number that was configured; empty or missing for none. */
  readonly setting?: string | undefined;
  /** What libvirt itself has said. It may run in a container, with a qemu.conf and a passwd of its own. */
  readonly told?: Account | undefined;
  /** The texts of the host's qemu.conf and passwd, as far as they exist. */
  readonly qemuConfig?: string | undefined;
  readonly passwd?: string | undefined;
}

export interface GuestAccountSources extends Pick<GuestAccountView, 'setting' | 'told'> {
  /** Where the system of the host is seen. */
  readonly root: string;
  /** The qemu.conf of the daemon, if it is not the host's. */
  readonly qemuConfigPath?: string | undefined;
}

/** The account that guests run under: as configured, else as libvirt says, else as qemu.conf says, else the usual one if there is one. */
export function decideGuestAccount({
  setting = '',
  told,
  qemuConfig = '',
  passwd = '',
}: GuestAccountView): Account | undefined {
  if (setting !== '') return named(setting, passwd, 'certificates.guestAccount');
  if (told !== undefined) return told;
  const user = [...qemuConfig.matchAll(USER_LINE)].map(([, one, two, three]) => one ?? two ?? three ?? '').at(-1) ?? '';
  if (user !== '') return named(user, passwd, 'user in qemu.conf');
  return USUAL_NAMES.map((name) => find(name, passwd)).find((account) => account !== undefined);
}

/** Reads what `decideGuestAccount` goes by. */
export async function findGuestAccount({
  setting,
  told,
  root,
  qemuConfigPath = join(root, 'etc/libvirt/qemu.conf'),
}: GuestAccountSources): Promise<Account | undefined> {
  const [qemuConfig, passwd] = await Promise.all([qemuConfigPath, join(root, 'etc/passwd')].map(readIfThere));
  return decideGuestAccount({ setting, told, qemuConfig, passwd });
}

function named(text: string, passwd: string, source: string): Account {
  const account = find(text, passwd) ?? numbered(text, passwd);
  if (account !== undefined) return account;
  throw new AgentError(
    'bad-setting',
    `${source}: "${text}" is not in /etc/passwd of the host: set certificates.guestAccount to the number of the account`,
  );
}

function find(name: string, passwd: string): Account | undefined {
  return entries(passwd).find((entry) => entry.name === name);
}

// libvirt, too, takes a number where no account bears it as its name.
function numbered(text: string, passwd: string): Account | undefined {
  const digits = NUMBER.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const uid = Number(digits);
  return { uid, gid: entries(passwd).find((entry) => entry.uid === uid)?.gid ?? 0 };
}

function entries(passwd: string): readonly (Account & { readonly name: string })[] {
  const fields = passwd.split('\n').map((line) => line.split(':'));
  return fields.flatMap(([name = '', , uid = '', gid = '']) =>
    NUMBER.test(uid) && NUMBER.test(gid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
