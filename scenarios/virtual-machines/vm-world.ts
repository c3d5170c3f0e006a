import { execFile } from 'node:child_process';
import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { untilObject } from '@smalt/bed-kubernetes';
import { startNetwork, type BedNetwork } from '@smalt/bed-libvirt';
import { buildDemoDisk, ensureGuestImage } from '@smalt/guest-image';
import type { ResourceClient } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import { startControlPlane, type ControlPlaneOptions, type VmControlPlane } from './control-plane.ts';
import { VmHost } from './vm-host.ts';

const run = promisify(execFile);

export interface VmWorldOptions extends Pick<
  ControlPlaneOptions,
  'definitions' | 'featureGates' | 'isApart' | 'signal'
> {
  /** How many nodes. */
  readonly hosts: number;
  /** The hypervisors that nodes offer; `qemu` if not given. */
  readonly drivers?: readonly string[];
  /** The processors of the machine that no pod gets for itself, such as `0`; for a world of one node. */
  readonly reservedProcessors?: string;
}

/** A whole cluster for virtual machines: the control plane, and nodes with a real libvirt, pod runner and handler each. */
export interface VmWorld extends AsyncDisposable {
  readonly control: VmControlPlane;
  readonly network: BedNetwork;
  readonly hosts: readonly VmHost[];
  readonly machines: ResourceClient<VirtualMachine>;
  readonly instances: ResourceClient<VirtualMachineInstance>;
  readonly directory: string;
  /** What the real kubectl prints. */
  kubectl(words: readonly string[], input?: string): Promise<string>;
  /** Resolves with the instance once it is as wanted. */
  untilInstance(
    name: string,
    isWanted: (instance: VirtualMachineInstance) => boolean,
    timeoutMs?: number,
  ): Promise<VirtualMachineInstance>;
  untilMachine(
    name: string,
    isWanted: (machine: VirtualMachine) => boolean,
    timeoutMs?: number,
  ): Promise<VirtualMachine>;
}

const WAIT_MS = 60_000;

export async function startVmWorld(options: VmWorldOptions): Promise<VmWorld> {
  const { signal, drivers = ['qemu'], reservedProcessors } = options;
  await using stack = new AsyncDisposableStack();
  const { path: directory } = stack.use(await mkdtempDisposable(join(tmpdir(), 'vms-')));
  // The processes of guests are not root's, and have to get through.
  await chmod(directory, 0o711);
  const network = stack.use(await startNetwork());
  const demoDisk = join(directory, 'demo.img');
  const [control] = await Promise.all([
    startControlPlane({ ...options, directory, address: network.address }).then((each) => stack.use(each)),
    ensureGuestImage({ signal }).then((image) => buildDemoDisk({ path: demoDisk, image, words: ['login'], signal })),
  ]);
  const hosts: VmHost[] = [];
  const parts = { network, directory, demoDisk, control, drivers, reservedProcessors };
  for (let number = 1; number <= options.hosts; number++) {
    hosts.push(stack.use(await VmHost.open({ name: `hv${number}`, ...parts })));
  }
  const machines = control.admin.resource(virtualMachineKind);
  const instances = control.admin.resource(virtualMachineInstanceKind);
  const place = { namespace: 'default' };
  const owned = stack.move();
  return {
    control,
    network,
    hosts,
    machines,
    instances,
    directory,
    kubectl: async (words, input) => {
      const running = run('kubectl', [`--kubeconfig=${control.server.kubeconfig}`, ...words]);
      running.child.stdin?.end(input);
      return (await running).stdout;
    },
    untilInstance: (name, isWanted, timeoutMs = WAIT_MS) =>
      untilObject({ objects: instances, ...place, name, isWanted, timeoutMs }),
    untilMachine: (name, isWanted, timeoutMs = WAIT_MS) =>
      untilObject({ objects: machines, ...place, name, isWanted, timeoutMs }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
