import { resolve } from 'node:path';

import { createLogger } from '@smalt/service-runtime';
import { Command, InvalidArgumentError } from 'commander';

import { imageCommand } from './image/image-command.ts';
import { imageProgram } from './image/image-program.ts';
import { ovsCommand } from './ovs/ovs-command.ts';
import { ovsProgram } from './ovs/ovs-program.ts';
import { stopSignal } from './stop-signal.ts';
import { machineCommands } from './virtual-machines/machine-commands.ts';
import { machineProgram } from './virtual-machines/machine-program.ts';

/** Services read their own flags, so here they are only listed. */
const SERVICES = [
  ['apiserver', 'run the API server alone'],
  ['operator', 'own the life of every hypervisor of a cluster'],
  ['node-agent', 'report on the hypervisor of this node'],
  ['ha-service', 'keep instances running when their hosts fail'],
  ['ovs-agent', 'report on Open vSwitch and OVN of this node'],
  ['virt-handler', 'make domains run on this node as the instances there say'],
  ['pod-runner', 'run launcher pods on this machine, which has no kubelet'],
  ['virt-launcher', 'hold the cgroup of one guest, and live and die with it'],
  ['ha-agent', 'tell the HA service what happens to the domains of this node'],
  ['virt-controller', 'run virtual machines as their strategies say, and lead migrations'],
  ['scheduler', 'give pods their nodes where there is no Kubernetes'],
  ['virt-api', 'admit virtual machines and serve their subresources, beside an API server'],
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
    .option('--api-port <number>', "the API server's port on loopback (default: 6443, or a free one)", parsePort)
    .option(
      '--ovs <directory>',
      'where Open vSwitch has its sockets (default: /var/run/openvswitch or /run/openvswitch)',
    )
    .action((flags: UpFlags) => runUp(flags, environment));
  program.addCommand(imageCommand(imageProgram));
  program.addCommand(ovsCommand(() => ovsProgram(environment)));
  for (const command of machineCommands(() => machineProgram(environment))) program.addCommand(command);
  for (const [name, what] of SERVICES) {
    program.command(name).description(`${what}; see smalt ${name} --help`).usage('[flags]');
  }
  return program;
}

interface UpFlags {
  readonly state: string;
  readonly apiPort?: number;
  readonly ovs?: string;
}

async function runUp(
  { state, apiPort, ovs }: UpFlags,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const signal = stopSignal(process);
  // A wrong flag, or a question about them, needs none of what runs.
  const { up } = await import('./up.ts');
  const log = createLogger({ name: 'smalt', level: 'warn', format: 'pretty', destination: process.stderr });
  try {
    const places = { stateDirectory: resolve(state), switchDirectory: ovs === undefined ? undefined : resolve(ovs) };
    await up({ ...places, apiPort, environment, print, now: () => new Date(), log }, signal);
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
