import { createInterface } from 'node:readline/promises';

import { Command } from 'commander';

import { SmaltError } from '../smalt-error.ts';
import { claimDataDirectory, isDataDirectory } from '../up/claim-data-directory.ts';
import { dataDirectoryOf, dataOption, type Environment } from '../up/up-command.ts';

/** Guests may take this long to shut down; see their terminationGracePeriodSeconds. */
const STOP_MS = 330_000;
const PURGE_MS = 600_000;

interface DownFlags {
  readonly data?: string;
  readonly purge?: boolean;
  readonly yes?: boolean;
}

/** `smalt down`. */
export function downCommand(environment: Environment): Command {
  return new Command('down')
    .description('stop the smalt up that runs on this machine; with --purge remove all that it made')
    .addOption(dataOption())
    .option('--purge', 'also remove virtual machines, disks, libvirtd, networks and the data directory')
    .option('--yes', 'do not ask')
    .action((flags: DownFlags) => runDown(flags, environment));
}

async function runDown(flags: DownFlags, environment: Environment): Promise<void> {
  const directory = dataDirectoryOf(flags, environment);
  if (!(await isDataDirectory(directory))) {
    const next = 'name the data directory of a smalt up with --data';
    throw new SmaltError('wrong-use', `${directory} is no data directory of Smalt: ${next}`);
  }
  const isPurge = flags.purge === true;
  if (isPurge && flags.yes !== true) await askFor(await (await import('./purge-machine.ts')).describePurge(directory));
  const { stopSmalt } = await import('./stop-smalt.ts');
  const stopped = await stopSmalt(directory, AbortSignal.timeout(STOP_MS));
  print(stopped === undefined ? `no smalt up runs on ${directory}` : `smalt up, process ${stopped.pid}, has stopped`);
  if (!isPurge) return;
  const { purgeMachine } = await import('./purge-machine.ts');
  // Nobody begins here meanwhile.
  await using _claim = await claimDataDirectory(directory);
  await purgeMachine(directory, print, AbortSignal.timeout(PURGE_MS));
  print(`${directory} is removed, and all that Smalt made on this machine`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function askFor(lines: readonly string[]): Promise<void> {
  const text = `This removes for good:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
  if (!process.stdin.isTTY) throw new SmaltError('wrong-use', `${text}Nobody can be asked here: give --yes`);
  process.stdout.write(text);
  const questions = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await questions.question('Type yes to go on: ').finally(() => questions.close());
  if (answer.trim() !== 'yes') throw new SmaltError('refused', 'nothing was removed');
}
