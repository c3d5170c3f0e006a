import { Command } from 'commander';

import { withClusterFlags, type ClusterFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';

/** `smalt backup`: a copy of all objects, of an API server of ours that runs. */
export function backupCommand(program: () => CommandProgram): Command {
  return withClusterFlags(new Command('backup'))
    .argument('<file>', 'a file that does not exist yet')
    .description('copy all objects of the API server of smalt up or smalt apiserver to a file, while it runs')
    .action(async (file: string, flags: ClusterFlags) => {
      const { runBackup } = await import('./run-backup.ts');
      await runBackup(program(), file, flags);
    });
}
