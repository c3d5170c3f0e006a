#!/usr/bin/env node
import { resolve } from 'node:path';

import { Command, InvalidArgumentError } from 'commander';

import { stopSignal } from './stop-signal.ts';
import { up } from './up.ts';

const program = new Command('smalt')
  .description('Runs hypervisors and the virtual machines on them.')
  .version('0.1.0')
  .showHelpAfterError();

program
  .command('up')
  .description('run everything on this machine until Ctrl-C')
  .option('--state <directory>', 'where the state of this machine lives', '/var/lib/smalt')
  .option('--port <number>', "libvirtd's port on loopback (default: 16514, or a free one)", parsePort)
  .action(async (options: { state: string; port?: number }) => {
    const { state, port } = options;
    const signal = stopSignal(process);
    try {
      await up(
        { stateDirectory: resolve(state), port, print: (line) => console.log(line), now: () => new Date() },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    console.log('stopped');
  });

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 1 to 65535.');
  return port;
}
