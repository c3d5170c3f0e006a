import { NODE_LOG_UNITS } from '@smalt/vm-api';
import { Command, Option } from 'commander';

import { parseCount, withNamespaceFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import type { LogsFlags } from './run-logs.ts';

const USUAL_LINES = 100;

/** `smalt logs`: the log of a machine, or of a host. */
export function logsCommand(program: () => CommandProgram): Command {
  return withNamespaceFlags(new Command('logs'))
    .argument('<name>', 'a machine that runs, or a host')
    .description('print the log of a machine, or of libvirt, Open vSwitch and our agents on a host')
    .option('-f, --follow', 'go on with what is written, until Ctrl-C')
    .option('--lines <number>', 'how many of the last lines of each log', parseCount, USUAL_LINES)
    .addOption(new Option('--unit <unit>', 'one log of a host').choices(NODE_LOG_UNITS))
    .option('--host', 'the host of that name, though there is a machine of the same name')
    .action(async (name: string, flags: LogsFlags) => {
      const { runLogs } = await import('./run-logs.ts');
      await runLogs(program(), name, flags);
    });
}
