import type { KubernetesObject } from '@smalt/kubernetes';

import type { Deed } from '../../../api/rights.ts';
import { isMigrating, isPaused, isRunning } from '../machine-state.ts';
import type { Machine } from '../machine.ts';

/** What can be done to a machine as a whole, without more to say. */
export type MachineActionName =
  | 'start'
  | 'stop'
  | 'restart'
  | 'pause'
  | 'unpause'
  | 'softreboot'
  | 'migrate'
  | 'cancelMigration'
  | 'delete';

export interface MachineAction {
  readonly name: MachineActionName;
  readonly label: string;
  /** Such as `web-1 is starting`. */
  readonly done: (name: string) => string;
  /** What has to be confirmed, if anything: what it does to the guest. */
  readonly warning?: string;
  readonly isPossible: (machine: Machine) => boolean;
  readonly deed: (machine: Machine) => Deed;
}

const SUBRESOURCES = 'subresources.kubevirt.io';

export const MACHINE_ACTIONS: readonly MachineAction[] = [
  {
    name: 'start',
    label: 'Start',
    done: (name) => `${name} is starting`,
    isPossible: ({ virtualMachine, instance }) => isKept(virtualMachine) && instance === undefined,
    deed: (machine) => subresource(machine, 'virtualmachines', 'start'),
  },
  {
    name: 'stop',
    label: 'Stop',
    done: (name) => `${name} is stopping`,
    warning: 'The guest is asked to shut down, and ended when it takes too long.',
    isPossible: ({ virtualMachine, instance }) => isKept(virtualMachine) && isKept(instance),
    deed: (machine) => subresource(machine, 'virtualmachines', 'stop'),
  },
  {
    name: 'restart',
    label: 'Restart',
    done: (name) => `${name} is restarting`,
    warning: 'The guest is shut down, and the machine is started anew with its spec of today.',
    isPossible: (machine) => machine.virtualMachine !== undefined && isRunning(machine),
    deed: (machine) => subresource(machine, 'virtualmachines', 'restart'),
  },
  {
    name: 'pause',
    label: 'Pause',
    done: (name) => `${name} is paused`,
    isPossible: (machine) => isRunning(machine) && !isPaused(machine) && !isMigrating(machine),
    deed: (machine) => subresource(machine, 'virtualmachineinstances', 'pause'),
  },
  {
    name: 'unpause',
    label: 'Unpause',
    done: (name) => `${name} runs on`,
    isPossible: (machine) => isRunning(machine) && isPaused(machine) && !isMigrating(machine),
    deed: (machine) => subresource(machine, 'virtualmachineinstances', 'unpause'),
  },
  {
    name: 'softreboot',
    label: 'Soft reboot',
    done: (name) => `The guest of ${name} is rebooting`,
    warning: 'The guest is asked to reboot. The machine stays where it is.',
    isPossible: (machine) => isRunning(machine) && !isPaused(machine),
    deed: (machine) => subresource(machine, 'virtualmachineinstances', 'softreboot'),
  },
  {
    name: 'migrate',
    label: 'Migrate',
    done: (name) => `A migration of ${name} was asked for`,
    isPossible: (machine) => isRunning(machine) && !isMigrating(machine) && isLiveMigratable(machine),
    deed: (machine) => ({
      verb: 'create',
      group: 'kubevirt.io',
      resource: 'virtualmachineinstancemigrations',
      namespace: machine.namespace,
    }),
  },
  {
    name: 'cancelMigration',
    label: 'Cancel the migration',
    done: (name) => `The migration of ${name} is being cancelled`,
    isPossible: isMigrating,
    deed: (machine) => ({
      verb: 'delete',
      group: 'kubevirt.io',
      resource: 'virtualmachineinstancemigrations',
      namespace: machine.namespace,
    }),
  },
  {
    name: 'delete',
    label: 'Delete',
    done: (name) => `${name} is being deleted`,
    warning: 'The machine is ended and removed. Disks that are part of it are lost. This cannot be undone.',
    isPossible: ({ virtualMachine, instance }) => isKept(virtualMachine ?? instance),
    deed: ({ virtualMachine, namespace }) => ({
      verb: 'delete',
      group: 'kubevirt.io',
      resource: virtualMachine === undefined ? 'virtualmachineinstances' : 'virtualmachines',
      namespace,
    }),
  },
];

/** Whether it is there, and is to stay there. */
function isKept(object: KubernetesObject | undefined): boolean {
  return object !== undefined && object.metadata.deletionTimestamp === undefined;
}

function isLiveMigratable({ instance }: Machine): boolean {
  const condition = instance?.status?.conditions?.find(({ type }) => type === 'LiveMigratable');
  return condition?.status !== 'False';
}

function subresource({ namespace }: Machine, resource: string, subresourceName: string): Deed {
  return { verb: 'update', group: SUBRESOURCES, resource, subresource: subresourceName, namespace };
}
