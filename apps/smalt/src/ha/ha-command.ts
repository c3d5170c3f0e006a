import { Argument, Command } from 'commander';

import { withClusterFlags, withOutputFlag } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import type * as RunHaCommand from './run-ha-command.ts';
import type { HaFlags, HaWord } from './run-ha-command.ts';

/** `smalt ha`: high availability, by the REST API of its service. */
export function haCommand(program: () => CommandProgram): Command {
  const ha = new Command('ha').description('look at high availability, and tell it what only persons can know');
  addViews(ha, program);
  addWords(ha, program);
  return ha;
}

function addViews(ha: Command, program: () => CommandProgram): void {
  withFlags(ha.command('status'))
    .description('whether it acts, what it hears and what it thinks of the hosts')
    .action(async (flags: HaFlags) => await (await load()).runHaStatus(program(), flags));
  withFlags(ha.command('hosts'))
    .description('list hosts with the signals of each')
    .action(async (flags: HaFlags) => await (await load()).runHaHosts(program(), flags));
  withFlags(ha.command('incidents [incident]'))
    .description('list the newest incidents and all that are open, or tell one from its beginning')
    .option('--host <host>', 'those of one host')
    .option('--open', 'those that are not over')
    .action(
      async (id: string | undefined, flags: HaFlags) => await (await load()).runHaIncidents(program(), id, flags),
    );
}

function addWords(ha: Command, program: () => CommandProgram): void {
  const tell = async (word: HaWord, flags: HaFlags): Promise<void> =>
    await (await load()).runHaWord(program(), word, flags);
  withNote(ha.command('pause'))
    .description('stop all action: nothing is fenced or rebuilt')
    .action((flags: HaFlags) => tell({ kind: 'pause' }, flags));
  withNote(ha.command('resume'))
    .description('let it act again')
    .action((flags: HaFlags) => tell({ kind: 'resume' }, flags));
  withNote(ha.command('dry-run'))
    .addArgument(new Argument('<state>', 'whether it only tells what it would do').choices(['on', 'off']))
    .description('begin or end a dry run')
    .action((state: string, flags: HaFlags) => tell({ kind: 'dry-run', enabled: state === 'on' }, flags));
  withNote(ha.command('confirm-off <incident> <host>'))
    .description('say that the host of an incident is off: you have seen it, and answer for it')
    .action((incident: string, host: string, flags: HaFlags) => tell({ kind: 'confirm-off', incident, host }, flags));
  withNote(ha.command('close <incident>'))
    .description('end an incident as it is')
    .action((incident: string, flags: HaFlags) => tell({ kind: 'close', incident }, flags));
  withNote(ha.command('release <incident>'))
    .description('let the host of an incident that is over return')
    .action((incident: string, flags: HaFlags) => tell({ kind: 'release', incident }, flags));
}

function withNote(command: Command): Command {
  return withFlags(command).requiredOption('--note <text>', 'why, for the journal');
}

function withFlags(command: Command): Command {
  return withOutputFlag(withClusterFlags(command))
    .option('--ha-url <url>', 'where the HA service is; else SMALT_HA_URL, else that of the smalt up of this machine')
    .option('--ha-ca <file>', 'who vouches for it; else SMALT_HA_CA, else whom this machine trusts')
    .option('--token-file <file>', 'a token to show there; else that of the kubeconfig');
}

/** What the commands need is loaded when one is given. */
async function load(): Promise<typeof RunHaCommand> {
  return await import('./run-ha-command.ts');
}
