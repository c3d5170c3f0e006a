import { WellKnownName, type VirtualMachineInstance, type VirtualMachineInstanceMigrationState } from '@smalt/vm-api';

/**
 * The instance with a new state of its migration. One that has arrived belongs to the target from that very write on: its
 * node is another one, it need not leave that, and it is no target any more. Write it all in one patch.
 */
export function withMigrationState(
  instance: VirtualMachineInstance,
  state: VirtualMachineInstanceMigrationState,
): VirtualMachineInstance {
  const { metadata, status } = instance;
  if (!hasMoved(instance, state)) return { ...instance, status: { ...status, migrationState: state } };
  const { evacuationNodeName: _, launcherContainerImageVersion: __, ...kept } = status ?? {};
  const { [WellKnownName.migrationTargetNodeNameLabel]: ___, ...labels } = metadata.labels ?? {};
  const nodeName = state.targetNode ?? '';
  return {
    ...instance,
    metadata: { ...metadata, labels: { ...labels, [WellKnownName.nodeNameLabel]: nodeName } },
    status: { ...kept, nodeName, migrationState: state },
  };
}

/** Whether the state hands the instance over that is still at the source. */
function hasMoved({ status }: VirtualMachineInstance, state: VirtualMachineInstanceMigrationState): boolean {
  const isOver = state.completed === true && state.failed !== true;
  return isOver && status?.nodeName === state.sourceNode && (state.targetNode ?? '') !== '';
}
