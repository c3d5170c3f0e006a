import { isKubeError } from '@smalt/kube';
import { virtualMachineInstanceMigrationKind } from '@smalt/vm-api';

import type { VmWorld } from '../../virtual-machines/vm-world.ts';
import type { Deed } from './machine-ledger.ts';

const NAMESPACE = 'default';
const SUBRESOURCES = `/apis/subresources.kubevirt.io/v1/namespaces/${NAMESPACE}/virtualmachines`;

/** Does what somebody wants, and gives whether it was taken: what does not go now is refused, and that is fine. */
export async function doDeed(world: VmWorld, { kind, machine }: Deed): Promise<boolean> {
  try {
    switch (kind) {
      case 'create':
        await world.machines.create(machineNamed(machine), { namespace: NAMESPACE });
        break;
      case 'delete':
        await world.machines.delete(machine, { namespace: NAMESPACE });
        break;
      case 'migrate':
        await world.control.admin
          .resource(virtualMachineInstanceMigrationKind)
          .create(migrationOf(machine), { namespace: NAMESPACE });
        break;
      case 'start':
      case 'stop':
      case 'restart':
        await world.control.admin.text({ method: 'PUT', path: `${SUBRESOURCES}/${machine}/${kind}`, body: '{}' });
        break;
    }
    return true;
  } catch (error) {
    if (isKubeError(error, 'conflict', 'already-exists', 'not-found', 'invalid', 'forbidden', 'bad-request'))
      return false;
    throw error;
  }
}

function migrationOf(vmiName: string): Parameters<typeof JSON.stringify>[0] {
  return { metadata: { generateName: `${vmiName}-` }, spec: { vmiName } };
}

/** A machine that finds nothing to boot, and so costs next to nothing. */
function machineNamed(name: string): Parameters<VmWorld['machines']['create']>[0] {
  const devices = { autoattachGraphicsDevice: false };
  const domain = { cpu: { model: 'qemu64' }, memory: { guest: '16Mi' }, devices };
  const spec = { hypervisor: 'qemu', terminationGracePeriodSeconds: 0, domain };
  return { metadata: { name }, spec: { runStrategy: 'Always', template: { spec } } };
}
