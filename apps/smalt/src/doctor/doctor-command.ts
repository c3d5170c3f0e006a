import { Command } from 'commander';

import { withClusterFlags, withOutputFlag } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import type { DoctorFlags } from './run-doctor.ts';

/** `smalt doctor`: what is wrong with this machine and with the fleet, and what to do. */
export function doctorCommand(program: () => CommandProgram): Command {
  return withOutputFlag(withClusterFlags(new Command('doctor')))
    .description('look at this machine and at the fleet, and say what to do; ends with 1 when something is wrong')
    .option('--no-machine', 'leave this machine out')
    .option('--no-fleet', 'leave the fleet out')
    .option('--ha-url <url>', 'where the HA service is; else SMALT_HA_URL, else that of the smalt up of this machine')
    .option('--ha-ca <file>', 'who vouches for it; else SMALT_HA_CA')
    .option('--token-file <file>', 'a token to show the HA service; else that of the kubeconfig')
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import('./run-doctor.ts');
      await runDoctor(program(), flags);
    });
}
