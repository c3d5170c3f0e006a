import type { TestInstance } from '@smalt/compute';
import type { Draft } from '@smalt/kube';
import { VirtualMachineInstancePhase as Phase, type VirtualMachineInstance } from '@smalt/vm-api';

import { printKey } from '../instances/instance-key.ts';
import { readInstance } from '../instances/read-instance.ts';
import { ObjectName } from '../object-names.ts';
import type { SmokeTestSettings } from '../vm-compute-settings.ts';

/** The instance that shows whether a node can run one: it goes there though the node takes no others. */
export function testInstance(name: string, node: string, settings: SmokeTestSettings): Draft<VirtualMachineInstance> {
  const { namespace, image, hypervisor, memory } = settings;
  return {
    metadata: { name, namespace, labels: { [ObjectName.smokeTestLabel]: 'true' } },
    spec: {
      ...(hypervisor === '' ? {} : { hypervisor }),
      hostname: name,
      evictionStrategy: 'None',
      terminationGracePeriodSeconds: 0,
      nodeSelector: { [ObjectName.hostNameLabel]: node },
      tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }],
      domain: {
        memory: { guest: memory },
        devices: {
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [{ name: 'root', containerDisk: { image } }],
    },
  };
}

export function readTestInstance(vmi: VirtualMachineInstance): TestInstance {
  const { state, fault } = readInstance(vmi, undefined);
  const running = vmi.status?.phaseTransitionTimestamps?.find(({ phase }) => phase === Phase.running);
  return {
    id: printKey(vmi.metadata),
    name: vmi.metadata.name,
    state,
    fault,
    createdAt: vmi.metadata.creationTimestamp,
    launchedAt: running?.phaseTransitionTimestamp ?? undefined,
  };
}
