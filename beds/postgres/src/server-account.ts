import { runProgram, type Program } from '@smalt/libvirt-daemon';

const ACCOUNT = 'postgres';
const SETPRIV: Program = { name: 'setpriv', debianPackage: 'util-linux' };

/** PostgreSQL refuses to run as root, so root runs it as its own account; everybody else runs it as himself. */
export function asServerAccount(command: readonly string[]): readonly string[] {
  if (process.getuid?.() !== 0) return command;
  return ['setpriv', `--reuid=${ACCOUNT}`, `--regid=${ACCOUNT}`, '--clear-groups', '--', ...command];
}

/** Runs one of its programs to the end. */
export async function runAsServerAccount(command: readonly string[]): Promise<void> {
  const [first = '', ...rest] = asServerAccount(command);
  const program = first === 'setpriv' ? SETPRIV : { name: first, debianPackage: 'postgresql' };
  await runProgram(program, rest);
}

/** Makes a directory the account's. */
export async function giveToServerAccount(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  await runProgram({ name: 'chown', debianPackage: 'coreutils' }, [`${ACCOUNT}:${ACCOUNT}`, path]);
}
