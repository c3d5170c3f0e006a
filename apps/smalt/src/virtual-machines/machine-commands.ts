import { Command, InvalidArgumentError } from 'commander';

import { withNamespaceFlags } from '../output/command-flags.ts';
import type { MachineProgram } from './run-console.ts';

/** `smalt console` and `smalt vnc`: the console and the display of a machine. */
export function machineCommands(program: () => MachineProgram): readonly Command[] {
  return [consoleCommand(program), vncCommand(program)];
}

function consoleCommand(program: () => MachineProgram): Command {
  return withNamespaceFlags(new Command('console'))
    .argument('<machine>', 'the name of the machine')
    .description('connect this terminal with the serial console of a machine; Ctrl-] leaves it')
    .action(async (name: string, flags: object) => {
      const { runConsole } = await import('./run-console.ts');
      await runConsole(program(), name, { ...flags });
    });
}

function vncCommand(program: () => MachineProgram): Command {
  return withNamespaceFlags(new Command('vnc'))
    .argument('<machine>', 'the name of the machine')
    .description('offer the display of a machine to VNC viewers on this machine until Ctrl-C')
    .option('--port <number>', 'where viewers connect to on loopback; a free one if not given', parsePort, 0)
    .option('--polite', 'leave the display to whom is looking at it', false)
    .action(async (name: string, flags: { readonly port: number; readonly polite: boolean }) => {
      const { runVnc } = await import('./run-vnc.ts');
      await runVnc(program(), name, flags);
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
