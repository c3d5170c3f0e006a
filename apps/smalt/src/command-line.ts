import { Command } from 'commander';

import { backupCommand } from './backup/backup-command.ts';
import { completionCommands } from './completion/completion-commands.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { downCommand } from './down/down-command.ts';
import { hostCommand } from './host/host-command.ts';
import { fleetCommands } from './fleet/fleet-commands.ts';
import { haCommand } from './ha/ha-command.ts';
import { imageCommand } from './image/image-command.ts';
import { imageProgram } from './image/image-program.ts';
import { logsCommand } from './logs/logs-command.ts';
import { commandProgram, type CommandProgram } from './output/command-program.ts';
import { useExitCodes } from './output/use-exit-codes.ts';
import { ovsCommand } from './ovs/ovs-command.ts';
import { ovsProgram } from './ovs/ovs-program.ts';
import { topCommand } from './top/top-command.ts';
import { openCommand } from './up/open-command.ts';
import { upCommand } from './up/up-command.ts';
import { machineCommands } from './virtual-machines/machine-commands.ts';
import { machineProgram } from './virtual-machines/machine-program.ts';
import { orderCommands } from './virtual-machines/order-commands.ts';

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
  ['web-console', 'serve the web console in front of an API server'],
  ['certificates', 'make and renew the certificates of services in a cluster, and end'],
  ['libvirt-config', 'write where the libvirtd of this node listens, and end'],
  ['virt-api', 'admit virtual machines and serve their subresources, beside an API server'],
] as const;

/** The commands that a person gives. */
export function commandLine(environment: Readonly<Record<string, string | undefined>>): Command {
  const program = new Command('smalt')
    .description('Runs hypervisors and the virtual machines on them.')
    .version('0.1.0')
    .showHelpAfterError();
  for (const make of [upCommand, downCommand, openCommand, hostCommand]) program.addCommand(make(environment));
  const own = (): CommandProgram => commandProgram(environment);
  const machines = [...machineCommands(() => machineProgram(environment)), ...orderCommands(own)];
  addAll(program, 'Machines:', [...machines, imageCommand(imageProgram)]);
  const looks = [topCommand(own), logsCommand(own), doctorCommand(own), backupCommand(own)];
  addAll(program, 'Hosts:', [
    ...fleetCommands(own),
    haCommand(own),
    ovsCommand(() => ovsProgram(environment)),
    ...looks,
  ]);
  const [completion, complete] = completionCommands(own, program);
  if (completion !== undefined) program.addCommand(completion);
  if (complete !== undefined) program.addCommand(complete, { hidden: true });
  addAll(
    program,
    'Services:',
    SERVICES.map(([name, what]) => serviceCommand(name, what)),
  );
  return useExitCodes(program);
}

function addAll(program: Command, group: string, commands: readonly Command[]): void {
  for (const command of commands) program.addCommand(command.helpGroup(group));
}

function serviceCommand(name: string, what: string): Command {
  return new Command(name).description(`${what}; see smalt ${name} --help`).usage('[flags]');
}
