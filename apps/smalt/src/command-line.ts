import { resolve } from 'node:path';

import { createLogger } from '@smalt/service-runtime';
import { Command, InvalidArgumentError } from 'commander';

import { ovsCommand } from './ovs/ovs-command.ts';
import { ovsProgram } from './ovs/ovs-program.ts';
import { stopSignal } from './stop-signal.ts';

/** Services read their own flags, so here they are only listed. */
const SERVICES = [
  ['apiserver', 'run the API server alone'],
  ['operator', 'own the life of every hypervisor of a cluster'],
  ['node-agent', 'report on the hypervisor of this node'],
  ['ha-service', 'keep instances running when their hosts fail'],
  ['ovs-agent', 'report on Open vSwitch and OVN of this node'],
  ['ha-agent', 'tell the HA service what happens to the domains of this node'],
] as const;

/** The commands that a person gives. */
export function commandLine(environment: Readonly<Record<string, string | undefined>>): Command {
  const program = new Command('smalt')
    .description('Runs hypervisors and the virtual machines on them.')
    .version('0.1.0')
    .showHelpAfterError();
  program
    .command('up')
    .description('run everything on this machine until Ctrl-C')
    .option('--state <directory>', 'where the state of this machine lives', '/var/lib/smalt')
    .option('--port <number>', "libvirtd's port on loopback (default: 16514, or a free one)", parsePort)
    .option('--api-port <number>', "the API server's port on loopback (default: 6443, or a free one)", parsePort)
    .option(
      '--ovs <directory>',
      'where Open vSwitch has its sockets (default: /var/run/openvswitch or /run/openvswitch)',
    )
    .action((flags: UpFlags) => runUp(flags, environment));
  program.addCommand(ovsCommand(() => ovsProgram(environment)));
  for (const [name, what] of SERVICES) {
    program.command(name).description(`${what}; see smalt ${name} --help`).usage('[flags]');
  }
  return program;
}

interface UpFlags {
  readonly state: string;
  readonly port?: number;
  readonly apiPort?: number;
  readonly ovs?: string;
}

async function runUp(
  { state, port, apiPort, ovs }: UpFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const signal = stopSignal(process);
  // A wrong flag, or a question about them, needs none of what runs.
  const { up } = await import('./up.ts');
  const log = createLogger({ name: 'smalt', level: 'warn', format: 'pretty', destination: process.stderr });
  try {
    const places = { stateDirectory: resolve(state), switchDirectory: ovs === undefined ? undefined : resolve(ovs) };
    await up({ ...places, port, apiPort, environment, print, now: () => new Date(), log }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  console.log('stopped');
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new InvalidArgumentError('A port is a number from 1 to 65535.');
  return port;
}

function print(line: string): void {
  console.log(line);
}
