import { Command, Option } from 'commander';

import { withClusterFlags, withOutputFlag } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import type { TopFlags } from './run-top.ts';
import { SORTS } from './top-view.ts';

/** `smalt top`: what hosts and machines use. */
export function topCommand(program: () => CommandProgram): Command {
  return withOutputFlag(withClusterFlags(new Command('top')))
    .description('show what hosts and machines use: live in a terminal until Ctrl-C, once in a pipe')
    .option('-n, --namespace <name>', 'machines of this namespace alone; else all')
    .option('--once', 'once in a terminal, too')
    .addOption(new Option('--sort <by>', 'which machines come first').choices(SORTS).default('cpu'))
    .action(async (flags: TopFlags) => {
      const { runTop } = await import('./run-top.ts');
      await runTop(program(), flags);
    });
}
