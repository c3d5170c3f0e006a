import type { JsonObject } from '@smalt/json';

/** An instance with a guest that boots from a disk which all hosts see. */
export function movingInstance(
  name: string,
  { path, memoryMiB }: { readonly path: string; readonly memoryMiB: number },
): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: 'default' },
    spec: {
      hypervisor: 'qemu',
      terminationGracePeriodSeconds: 0,
      domain: {
        memory: { guest: `${memoryMiB}Mi` },
        devices: {
          // libvirt moves disks that are written to only from file systems that it knows to be shared.
          disks: [{ name: 'root', disk: { bus: 'virtio', readonly: true } }],
          interfaces: [{ name: 'default', masquerade: {} }],
        },
      },
      networks: [{ name: 'default', pod: {} }],
      volumes: [{ name: 'root', hostDisk: { path, type: 'Disk', shared: true } }],
    },
  };
}
