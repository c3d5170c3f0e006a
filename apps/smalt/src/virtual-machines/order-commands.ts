import { Command } from 'commander';

import { parseCount, withNamespaceFlags, withWaitFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import type { MachineOrder } from './decide-order.ts';
import type { MigrateFlags } from './run-migrate.ts';
import type { OrderFlags } from './run-order.ts';

/** `smalt start`, `stop`, `restart`, `pause`, `unpause` and `migrate`. */
export function orderCommands(program: () => CommandProgram): readonly Command[] {
  return [
    order(program, 'start', 'start a machine', 'it runs').option('--paused', 'have it wait to be unpaused'),
    order(program, 'stop', 'have a machine shut down', 'it is off').option(
      '--grace-period <seconds>',
      'how long its guest has for that; 0 switches it off at once',
      parseCount,
    ),
    order(program, 'restart', 'have a machine shut down and start again', 'it runs again').option(
      '--force',
      'switch it off at once instead of asking its guest',
    ),
    order(program, 'pause', 'have a machine stand still where it is', 'it stands still'),
    order(program, 'unpause', 'have a machine go on that stands still', 'it goes on'),
    migrateCommand(program),
  ];
}

function order(program: () => CommandProgram, name: MachineOrder, what: string, until: string): Command {
  return withWaitFlags(withNamespaceFlags(new Command(name)), until)
    .argument('<machine>', 'the name of the machine')
    .description(what)
    .action(async (machine: string, flags: OrderFlags) => {
      const { runOrder } = await import('./run-order.ts');
      await runOrder(program(), { order: name, name: machine }, flags);
    });
}

function migrateCommand(program: () => CommandProgram): Command {
  return withWaitFlags(withNamespaceFlags(new Command('migrate')), 'it has moved, and show how far it is')
    .argument('<machine>', 'the name of the machine')
    .description('move a machine that runs to another host')
    .option('--to <host>', 'which one; else the scheduler chooses')
    .action(async (machine: string, flags: MigrateFlags) => {
      const { runMigrate } = await import('./run-migrate.ts');
      await runMigrate(program(), machine, flags);
    });
}
