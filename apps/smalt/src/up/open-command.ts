import { Command } from 'commander';

import { askControlSocket } from './control-socket.ts';
import { dataPath } from './data-directory.ts';
import { dataDirectoryOf, dataOption, type Environment } from './up-command.ts';

const TIMEOUT_MS = 10_000;

/** `smalt open`: prints a link that signs its first user in to the console of the `smalt up` that runs. */
export function openCommand(environment: Environment): Command {
  return new Command('open')
    .description('print a new link to the console of the smalt up that runs on this machine')
    .addOption(dataOption())
    .action(async (flags: { readonly data?: string }) => {
      const path = dataPath(dataDirectoryOf(flags, environment), 'control');
      const link = await askControlSocket(path, { kind: 'open' }, AbortSignal.timeout(TIMEOUT_MS));
      process.stdout.write(`${typeof link === 'string' ? link : JSON.stringify(link)}\n`);
    });
}
