import { readFile } from 'node:fs/promises';

import { openBedDirectory } from '@smalt/bed-libvirt';
import { findProgram } from '@smalt/libvirt-daemon';

import { SystemdBedError } from './error.ts';
import { checkMachineOptions, type MachineOptions } from './machine-options.ts';
import { keeperLog, startKeeper, type Keeper } from './start-keeper.ts';
import { SystemdMachine } from './systemd-machine.ts';
import { writeMachineFiles } from './write-machine-files.ts';

const HOSTNAME = 'machine';
const START_TIMEOUT_MS = 30_000;

/** Boots a machine and resolves once its bus is up; it goes with the process that owns it, even when that is killed. */
export async function startSystemd(options: MachineOptions = {}): Promise<SystemdMachine> {
  checkMachineOptions(options);
  await findProgram('/usr/lib/systemd/systemd', 'systemd');
  await findProgram('dbus-daemon', 'dbus');
  await using cleanUp = new AsyncDisposableStack();
  const directory = cleanUp.use(await openBedDirectory()).path;
  await writeMachineFiles(directory, options);
  const hostname = options.hostname ?? HOSTNAME;
  const keeper = await startKeeper(directory, hostname);
  cleanUp.defer(() => keeper.kill());
  const pid = await readyWithin(keeper, options.signal);
  if (pid === undefined) {
    const log = await readFile(keeperLog(directory), 'utf8');
    throw new SystemdBedError('start-failed', `The machine ended while it booted: ${log.trim()}`);
  }
  return new SystemdMachine({ directory, hostname, pid, keeper, owned: cleanUp.move() });
}

async function readyWithin(keeper: Keeper, signal: AbortSignal | undefined): Promise<number | undefined> {
  const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
  const either = AbortSignal.any(signal ? [signal, timeout] : [timeout]);
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => {
    const code = timeout.aborted ? 'start-timeout' : 'aborted';
    reject(new SystemdBedError(code, 'The machine was given up while it booted', either.reason));
  };
  if (either.aborted) giveUp();
  either.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([keeper.ready, promise]);
  } finally {
    either.removeEventListener('abort', giveUp);
  }
}
