import type { CPU, CPUTopology, VirtualMachineInstance } from '@smalt/vm-api';

/** Notes down the memory and the processors that the guest begins with; both can change while it runs. */
export function defaultStatus(instance: VirtualMachineInstance): VirtualMachineInstance {
  const { cpu, memory } = instance.spec.domain;
  const { guest } = memory ?? {};
  return {
    ...instance,
    status: {
      ...instance.status,
      ...(guest === undefined ? {} : { memory: { guestAtBoot: guest, guestCurrent: guest, guestRequested: guest } }),
      ...(cpu === undefined ? {} : { currentCPUTopology: topologyOf(cpu) }),
    },
  };
}

function topologyOf({ sockets, cores, threads }: CPU): CPUTopology {
  return {
    ...(sockets === undefined ? {} : { sockets }),
    ...(cores === undefined ? {} : { cores }),
    ...(threads === undefined ? {} : { threads }),
  };
}
