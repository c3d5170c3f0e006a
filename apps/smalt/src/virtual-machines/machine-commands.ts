import { Command, InvalidArgumentError } from 'commander';

import type { MachineProgram } from './run-console.ts';

const EXIT_CODES = `
Exit codes: 0 it was left, or the guest has ended, 1 it could not be opened or the command is wrong, 3 it was lost: somebody
else has opened it, or the way to the guest broke.`;

/** `smalt console` and `smalt vnc`: the console and the display of a machine. */
export function machineCommands(program: () => MachineProgram): readonly Command[] {
  return [consoleCommand(program), vncCommand(program)];
}

function consoleCommand(program: () => MachineProgram): Command {
  return withCommonFlags(new Command('console'))
    .argument('<machine>', 'the name of the machine')
    .description('connect this terminal with the serial console of a machine; Ctrl-] leaves it')
    .addHelpText('after', EXIT_CODES)
    .action(async (name: string, flags: object) => {
      const { runConsole } = await import('./run-console.ts');
      await runConsole(program(), name, { ...flags });
    });
}

function vncCommand(program: () => MachineProgram): Command {
  return withCommonFlags(new Command('vnc'))
    .argument('<machine>', 'the name of the machine')
    .description('offer the display of a machine to VNC viewers on this machine until Ctrl-C')
    .option('--port <number>', 'where viewers connect to on loopback; a free one if not given', parsePort, 0)
    .option('--polite', 'leave the display to whom is looking at it', false)
    .addHelpText('after', EXIT_CODES)
    .action(async (name: string, flags: { readonly port: number; readonly polite: boolean }) => {
      const { runVnc } = await import('./run-vnc.ts');
      await runVnc(program(), name, flags);
    });
}

function withCommonFlags(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'how to reach the cluster; else KUBECONFIG, else ~/.kube/config')
    .option('-n, --namespace <name>', 'where the machine lives; else that of the kubeconfig');
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
