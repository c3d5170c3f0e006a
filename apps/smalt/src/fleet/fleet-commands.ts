import { Argument, Command } from 'commander';

import { withClusterFlags, withWaitFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import type * as RunFleetCommand from './run-fleet-command.ts';
import type { FleetFlags } from './run-fleet-command.ts';

/** `smalt evict` and `smalt maintenance`. */
export function fleetCommands(program: () => CommandProgram): readonly Command[] {
  return [evictCommand(program), maintenanceCommand(program)];
}

function evictCommand(program: () => CommandProgram): Command {
  return withWaitFlags(withClusterFlags(new Command('evict')), 'all have left, and show how far each machine is')
    .argument('<host>', 'the name of the host')
    .description('move all machines off a host')
    .option('--reason <text>', 'why, for those who look later')
    .option('--undo', 'let it keep what it still has')
    .action(async (host: string, flags: FleetFlags) => {
      await (await load()).runEvict(program(), host, flags);
    });
}

function maintenanceCommand(program: () => CommandProgram): Command {
  const what = 'the host is empty, or back in use, and show how far each machine is';
  return withWaitFlags(withClusterFlags(new Command('maintenance')), what)
    .argument('<host>', 'the name of the host')
    .addArgument(new Argument('<state>', 'whether it is in maintenance').choices(['on', 'off']))
    .description('take a host out of use and empty it, or give it back')
    .option('--reason <text>', 'why, for those who look later')
    .action(async (host: string, state: string, flags: FleetFlags) => {
      await (await load()).runMaintenance(program(), { host, isOn: state === 'on' }, flags);
    });
}

/** What the commands need is loaded when one is given. */
async function load(): Promise<typeof RunFleetCommand> {
  return await import('./run-fleet-command.ts');
}
