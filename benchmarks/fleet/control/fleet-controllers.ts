import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ServerProcess, type SmaltProgram } from '@smalt/bed-kubernetes';

import { BenchmarkError } from '../../src/benchmark-error.ts';
import { SYSTEM_NAMESPACE } from '../../vms/cluster/machine-accounts.ts';
import { smaltCommand } from '../../vms/cluster/smalt-program.ts';
import type { ProcessGroup } from '../measure/process-costs.ts';
import { startFleetHaService, type FleetHaService } from './ha-service.ts';

/** What decides over the fleet: a process each, as a cluster has them. */
export interface FleetControllers extends AsyncDisposable {
  readonly groups: readonly ProcessGroup[];
  readonly haService: FleetHaService;
  /** Throws with the last words of one that has ended: a fleet without it is not what was to be measured. */
  checkRunning(): Promise<void>;
}

export interface FleetControllersOptions {
  readonly program: SmaltProgram;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly hosts: readonly string[];
  readonly signal: AbortSignal;
}

/** Nothing of a data centre is there: no cert-manager, no Gardener. All else is as it comes. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  'virt-controller': ['--listen='],
  scheduler: ['--listen='],
  operator: [
    '--metrics-bind-address=0',
    '--health-probe-bind-address=0',
    '--compute=virtual-machines',
    `--agent-namespaces=${SYSTEM_NAMESPACE}`,
    '--hypervisor-new-hypervisor-install-certificate=false',
    '--hypervisor-new-hypervisor-evacuate-on-reboot=false',
    '--certificate-when=never',
    '--node-lifecycle-when=never',
  ],
};

/** Starts virt-controller, scheduler, hypervisor operator and HA service. */
export async function startFleetControllers(options: FleetControllersOptions): Promise<FleetControllers> {
  const { program, folder, kubeconfig } = options;
  await using owner = new AsyncDisposableStack();
  const processes = Object.entries(FLAGS).map(([command, flags]) => {
    const words = [command, `--kubeconfig=${kubeconfig}`, '--log-level=warn', ...flags];
    return owner.use(ServerProcess.start(command, smaltCommand(program, words), join(folder, `${command}.log`)));
  });
  const haService = owner.use(await startFleetHaService(options));
  const groups = [...processes, { name: 'ha-service', pid: haService.pid }].map(
    ({ name, pid }) => ({ part: 'controllers', name, pids: [pid] }) as const,
  );
  const checkRunning = async (): Promise<void> => {
    const ended = processes.find(({ isRunning }) => !isRunning);
    if (ended === undefined) return;
    const words = (await readFile(ended.logPath, 'utf8')).trim().split('\n').slice(-5).join('\n');
    throw new BenchmarkError('peer-failed', `${ended.name} ended: ${words}`);
  };
  const owned = owner.move();
  return { groups, haService, checkRunning, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
