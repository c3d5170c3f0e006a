import type { ControllerOptions } from '@smalt/controller-runtime';

import { createEvacuationController } from './evacuation/evacuation-controller.ts';
import { createInstanceController } from './instance/instance-controller.ts';
import { createMigrationController } from './migration/migration-controller.ts';
import { createNodeController } from './node/node-controller.ts';
import { createPoolController } from './pool/pool-controller.ts';
import { createReplicaSetController } from './replica-set/replica-set-controller.ts';
import type { VirtControllerContext } from './virt-controller-context.ts';
import { createMachineController } from './virtual-machine/machine-controller.ts';

/** Every controller of virtual machines. They know nothing of each other: they meet in the objects. */
export function allControllers(context: VirtControllerContext): readonly ControllerOptions[] {
  const { pools } = context;
  return [
    createMachineController(context),
    createInstanceController(context),
    createMigrationController(context),
    createEvacuationController(context),
    createReplicaSetController(context),
    ...(pools === undefined ? [] : [createPoolController({ ...context, pools })]),
    createNodeController(context),
  ];
}
