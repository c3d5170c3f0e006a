import type { LauncherDaemon } from './daemon/start-launcher-daemon.ts';
import { openGuestCgroup } from './guest-cgroup.ts';
import { parseFlags, type LauncherFlags, type UserAndGroup } from './parse-flags.ts';
import { runLauncher } from './run-launcher.ts';
import { openTerminationFile } from './termination.ts';

/** What the launcher needs of the process that it runs in. */
export interface LauncherContext {
  /** The words after the command's name. */
  readonly arguments: readonly string[];
  readonly process: LauncherProcess;
  readonly output: { write(text: string): unknown };
}

/** The part of `process` that a launcher needs. */
export interface LauncherProcess {
  on(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
  setgroups?(groups: readonly number[]): void;
  setgid?(id: number): void;
  setuid?(id: number): void;
}

const SECOND_SIGNAL = 128 + 15;

/**
 * Runs the launcher of one guest and gives its exit code: 0 when the guest has ended, 1 when something is wrong. A wrong
 * flag is thrown. It loads next to nothing, for there is one per guest.
 */
export async function virtLauncherCommand(context: LauncherContext): Promise<number> {
  const parsed = parseFlags(context.arguments);
  if (parsed.kind === 'help') {
    context.output.write(parsed.text);
    return 0;
  }
  const { flags } = parsed;
  using termination = flags.sandbox === undefined ? undefined : openTerminationFile(flags.sandbox);
  const log = (message: string): void => void context.output.write(logLine(message, flags));
  try {
    await hold(context.process, flags, log);
    termination?.write({ exitCode: 0, message: '' });
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log(message);
    termination?.write({ exitCode: 1, message });
    return 1;
  }
}

async function hold(process: LauncherProcess, flags: LauncherFlags, log: (message: string) => void): Promise<void> {
  const terminating = terminationSignal(process, log);
  const guest = await openGuestCgroup(flags.guestCgroup);
  await using daemon = flags.daemon === 'launcher' ? await startDaemon(flags, log, terminating) : undefined;
  if (flags.user !== undefined) become(process, flags.user);
  log('waiting for the guest');
  const ended = runLauncher({ guest, log, monotonic: () => performance.now() }, flags, terminating);
  // It resolves when it is told to end, which the launcher waits for itself.
  await Promise.race([ended, ...(daemon === undefined ? [] : [daemon.failed.then(() => ended)])]);
}

async function startDaemon(
  flags: LauncherFlags,
  log: (message: string) => void,
  signal: AbortSignal,
): Promise<LauncherDaemon> {
  // What this needs would make every launcher larger, and few have a daemon of their own.
  const { startLauncherDaemon } = await import('./daemon/start-launcher-daemon.ts');
  return await startLauncherDaemon(flags, log, signal);
}

/**
 * Fires at the first signal. A second SIGINT, of a person, ends the process at once. A second SIGTERM changes nothing: a runner of
 * pods that does not know whether it has sent one sends another, and that must not cost the guest its time.
 */
function terminationSignal(process: LauncherProcess, log: (message: string) => void): AbortSignal {
  const controller = new AbortController();
  process.on('SIGTERM', () => {
    if (controller.signal.aborted) log('told to end once more; still waiting for the guest');
    controller.abort(new Error('told to end'));
  });
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(SECOND_SIGNAL);
    controller.abort(new Error('told to end'));
  });
  return controller.signal;
}

/** The group first: a user that is not root may no longer change it. */
function become(process: LauncherProcess, { userId, groupId }: UserAndGroup): void {
  process.setgroups?.([groupId]);
  process.setgid?.(groupId);
  process.setuid?.(userId);
}

function logLine(message: string, { namespace, name, uid }: LauncherFlags): string {
  const line = {
    level: 'info',
    time: new Date().toISOString(),
    name: 'virt-launcher',
    instance: `${namespace}/${name}`,
  };
  return `${JSON.stringify({ ...line, uid, msg: message })}\n`;
}
