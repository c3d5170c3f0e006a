import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ServerProcess } from '@smalt/bed-kubernetes';
import { startHost, type BedHost, type BedNetwork } from '@smalt/bed-libvirt';

import type { ControlPlane } from './control-plane.ts';
import { isSchedulable, untilNode } from './node-objects.ts';
import { removeCgroups, showCgroups } from './show-cgroups.ts';
import { smaltCommand } from './smalt-program.ts';

const START_TIMEOUT_MS = 60_000;
const PASSABLE = 0o711;
const NAMESPACES = ['--mount', '--uts', '--ipc', '--net', '--pid'];

/** A node with a real libvirtd, and `smalt pod-runner` and `smalt virt-handler` beside it, all in namespaces of their own. */
export interface VmNode extends AsyncDisposable {
  readonly name: string;
  readonly host: BedHost;
  /** What the node has as its own, as seen from outside; guests see it at `inside`. */
  readonly directory: string;
  readonly inside: string;
  readonly pids: Readonly<Record<'pod-runner' | 'virt-handler' | 'libvirtd', number>>;
}

export interface VmNodeOptions {
  readonly name: string;
  readonly network: BedNetwork;
  readonly control: ControlPlane;
  readonly signal: AbortSignal;
}

/** Starts one, and waits until the scheduler may use it. */
export async function startVmNode(options: VmNodeOptions): Promise<VmNode> {
  const { name, control } = options;
  await using owner = new AsyncDisposableStack();
  const [directory, inside] = [join(control.folder, name), join(control.folder, 'n')];
  await Promise.all([directory, inside].map((path) => mkdir(path, { recursive: true, mode: PASSABLE })));
  const uuid = randomUUID();
  const cgroupRoot = `/smalt-bench-${uuid.slice(0, 8)}`;
  owner.defer(() => removeCgroups(cgroupRoot));
  const host = owner.use(await openHost(options, { uuid, directory, inside }));
  const place = { name, host, control, inside, cgroupRoot };
  const runner = owner.use(await startRunner(place, options.signal));
  // The account of the handler is bound to the Node, which the pod runner makes.
  await untilNode(control.client, name, () => true);
  const handler = owner.use(await startHandler(place, options.signal));
  await untilNode(control.client, name, isSchedulable);
  const pids = { 'pod-runner': runner.pid, 'virt-handler': handler.pid, libvirtd: host.daemon.pid ?? 0 };
  const owned = owner.move();
  return { name, host, directory, inside, pids, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

interface HostFolders {
  readonly uuid: string;
  readonly directory: string;
  readonly inside: string;
}

async function openHost({ name, network, signal }: VmNodeOptions, folders: HostFolders): Promise<BedHost> {
  const { uuid, directory: source, inside: target } = folders;
  const qemu = { user: 'libvirt-qemu', group: 'kvm', dynamic_ownership: 1 };
  const host = await startHost({ name, network, uuid, bindMounts: [{ source, target }], qemu, signal });
  await showCgroups(host);
  return host;
}

interface Place {
  readonly name: string;
  readonly host: BedHost;
  readonly control: ControlPlane;
  readonly inside: string;
  readonly cgroupRoot: string;
}

async function startRunner(place: Place, signal: AbortSignal): Promise<InsideProcess> {
  const { host, control, inside, cgroupRoot } = place;
  return await startInside(place, 'pod-runner', [
    `--kubeconfig=${await control.kubeconfigOf({ name: 'smalt-pod-runner' }, signal)}`,
    `--pods=${inside}/pods`,
    `--images=${inside}/images`,
    `--volumes=${inside}/volumes`,
    `--cgroup-root=${cgroupRoot}`,
    `--address=${host.address}`,
  ]);
}

async function startHandler(place: Place, signal: AbortSignal): Promise<InsideProcess> {
  const { name, host, control, inside } = place;
  return await startInside(place, 'virt-handler', [
    `--kubeconfig=${await control.kubeconfigOf({ name: 'smalt-virt-handler', nodeName: name }, signal)}`,
    `--state=${inside}/vh`,
    `--pods=${inside}/pods`,
    `--host-disk-directories=${control.folder}`,
    '--drivers=qemu',
    '--migration-uri={driver}+tcp://{address}/system',
    `--migration-address=${host.address}`,
    `--node-api-listen=${host.address}:8186`,
  ]);
}

interface InsideProcess extends AsyncDisposable {
  readonly pid: number;
}

/** Runs a command of smalt inside a host. Who enters it waits outside and hands no signals on, so it is told inside. */
async function startInside(
  { name, host, control }: Place,
  command: string,
  flags: readonly string[],
): Promise<InsideProcess> {
  const words = smaltCommand(control.program, [command, `--node=${name}`, '--listen=', '--log-level=info', ...flags]);
  const entering = ['nsenter', '--target', String(host.daemon.namespacePid), ...NAMESPACES, '--', ...words];
  const entered = ServerProcess.start(command, entering, join(control.folder, `${name}-${command}.log`));
  const childOf = async (): Promise<number> =>
    Number((await readFile(`/proc/${entered.pid}/task/${entered.pid}/children`, 'utf8').catch(() => '')).trim());
  await entered.whenReady(async () => (await childOf()) > 0, AbortSignal.timeout(START_TIMEOUT_MS));
  const pid = await childOf();
  return {
    pid,
    [Symbol.asyncDispose]: async () => {
      if (entered.isRunning) process.kill(pid, 'SIGTERM');
      await entered.whenEnded();
    },
  };
}
