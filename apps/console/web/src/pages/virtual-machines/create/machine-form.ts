/** What the form of a new machine asks for. Numbers are what stands in their fields, which may be nothing yet. */
export interface MachineForm {
  readonly name: string;
  readonly namespace: string;
  readonly cores: number | string;
  readonly memoryMiB: number | string;
  readonly disk: DiskChoice;
  /** The image, or the claim, by the choice of the disk. */
  readonly diskName: string;
  readonly diskGiB: number | string;
  readonly network: 'pod' | 'none';
  /** Empty: what the cluster prefers. */
  readonly hypervisor: string;
  readonly userData: string;
  readonly isStarted: boolean;
}

export type DiskChoice = 'image' | 'claim' | 'blank';

export const NEW_MACHINE: MachineForm = {
  name: '',
  namespace: 'default',
  cores: 1,
  memoryMiB: 512,
  disk: 'image',
  diskName: '',
  diskGiB: 1,
  network: 'pod',
  hypervisor: '',
  userData: '',
  isStarted: true,
};

type Json = Readonly<Record<string, unknown>>;

/** The VirtualMachine that the form describes. What is not filled in is left for the server to complain of. */
export function machineManifest(form: MachineForm): Json {
  const hasNetwork = form.network === 'pod';
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: form.name, namespace: form.namespace },
    spec: {
      runStrategy: form.isStarted ? 'Always' : 'Halted',
      template: {
        spec: {
          ...(form.hypervisor === '' ? {} : { hypervisor: form.hypervisor }),
          domain: {
            cpu: { cores: numberOf(form.cores) },
            memory: { guest: `${form.memoryMiB}Mi` },
            devices: {
              disks: disksOf(form),
              ...(hasNetwork
                ? { interfaces: [{ name: 'default', masquerade: {} }] }
                : { autoattachPodInterface: false }),
            },
          },
          ...(hasNetwork ? { networks: [{ name: 'default', pod: {} }] } : {}),
          volumes: volumesOf(form),
        },
      },
    },
  };
}

function disksOf({ userData }: MachineForm): readonly Json[] {
  const names = ['root', ...(userData.trim() === '' ? [] : ['seed'])];
  return names.map((name) => ({ name, disk: { bus: 'virtio' } }));
}

function volumesOf(form: MachineForm): readonly Json[] {
  const seed = { name: 'seed', cloudInitNoCloud: { userData: form.userData } };
  return [{ name: 'root', ...sourceOf(form) }, ...(form.userData.trim() === '' ? [] : [seed])];
}

function sourceOf({ disk, diskName, diskGiB }: MachineForm): Json {
  switch (disk) {
    case 'image':
      return { containerDisk: { image: diskName } };
    case 'claim':
      return { persistentVolumeClaim: { claimName: diskName } };
    case 'blank':
      return { emptyDisk: { capacity: `${diskGiB}Gi` } };
  }
}

function numberOf(value: number | string): unknown {
  return value === '' ? undefined : value;
}
