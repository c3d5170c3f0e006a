import { randomUUID } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { RunOptions } from '@smalt/libvirt-daemon';

import { ask, isOk } from '../ask.ts';
import type { RunningApiServer } from '../running-api-server.ts';
import type { MachineProcess } from './machine-process.ts';
import { NodeMachine } from './node-machine.ts';
import { CONTAINERD_SOCKET, PROXY_HEALTH_PORT, SETTINGS, type NodeSettings } from './node-settings.ts';

const START_TIMEOUT_MS = 120_000;
const IMAGE_TIMEOUT_MS = 300_000;

/** A node of the cluster: a kubelet, containerd and kube-proxy in namespaces of their own. */
export class ClusterNode {
  readonly name: string;
  /** Where others of the bed and this process reach it. */
  readonly address: string;
  /** The part of the pods' addresses that is its own. */
  readonly number: number;
  readonly #machine: NodeMachine;
  readonly #settings: NodeSettings;
  readonly #daemons = new Map<string, MachineProcess>();

  constructor(machine: NodeMachine, settings: NodeSettings) {
    this.name = settings.name;
    this.address = settings.address;
    this.number = settings.number;
    this.#machine = machine;
    this.#settings = settings;
  }

  /** Its root directory, seen from outside: `/var/lib/kubelet` is below it, but not what is mounted there. */
  get root(): string {
    return this.#machine.root;
  }

  /** Its first process, by which its namespaces are entered. */
  get pid(): number {
    return this.#machine.pid;
  }

  /** What goes before a command, so that it runs on the node. */
  get enter(): readonly string[] {
    return this.#machine.enter;
  }

  /** Its daemons, by name: `containerd`, `kubelet`, `kube-proxy`, and what else was started on it. */
  get daemons(): ReadonlyMap<string, MachineProcess> {
    return this.#daemons;
  }

  /** Runs a program on the node to its end and gives what it printed. */
  async run(command: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
    return await this.#machine.run(command, options);
  }

  /** Starts a program on the node that runs on until the node ends; what it prints goes to a file of that name. */
  async start(name: string, command: readonly string[]): Promise<MachineProcess> {
    const started = await this.#machine.start(name, command);
    this.#daemons.set(name, started);
    return started;
  }

  /** Brings an image onto the node, from an OCI archive. */
  async importImage(tarPath: string, signal: AbortSignal = AbortSignal.timeout(IMAGE_TIMEOUT_MS)): Promise<void> {
    const inside = `/var/tmp/${randomUUID()}.tar`;
    const outside = join(this.root, inside);
    await copyFile(tarPath, outside);
    try {
      const words = ['images', 'import', '--local', '--snapshotter', this.#settings.snapshotter, inside];
      await this.run([NodeMachine.programPath('ctr'), '--address', CONTAINERD_SOCKET, '-n', 'k8s.io', ...words], {
        signal,
      });
    } finally {
      await rm(outside, { force: true });
    }
  }

  async startContainerd(signal: AbortSignal): Promise<void> {
    const deadline = bounded(signal);
    const containerd = await this.start('containerd', [
      NodeMachine.programPath('containerd'),
      '--config',
      `${SETTINGS}/containerd.toml`,
    ]);
    const version: readonly [string, ...string[]] = [
      NodeMachine.programPath('ctr'),
      '--address',
      CONTAINERD_SOCKET,
      'version',
    ];
    const answers = (): Promise<boolean> =>
      this.run(version).then(
        () => true,
        () => false,
      );
    await containerd.whenReady(answers, deadline);
  }

  /** Starts the kubelet, and resolves when the node is ready for pods. */
  async startKubelet(server: RunningApiServer, signal: AbortSignal): Promise<void> {
    const deadline = bounded(signal);
    const kubelet = await this.start('kubelet', [
      NodeMachine.programPath('kubelet'),
      `--config=${SETTINGS}/kubelet.json`,
      `--kubeconfig=${SETTINGS}/kubelet.kubeconfig`,
      `--hostname-override=${this.name}`,
      `--node-ip=${this.address}`,
    ]);
    await kubelet.whenReady(() => isReadyNode(server, this.name), deadline);
  }

  /** Starts kube-proxy, and resolves when Services are reached. */
  async startProxy(signal: AbortSignal): Promise<void> {
    const command = [NodeMachine.programPath('kube-proxy'), `--config=${SETTINGS}/proxy.json`];
    const proxy = await this.start('kube-proxy', command);
    await proxy.whenReady(() => isOk(`http://${this.address}:${PROXY_HEALTH_PORT}/healthz`), bounded(signal));
  }

  /** Loss of power: all of it is gone at once. */
  async crash(): Promise<void> {
    await this.#machine.kill();
  }
}

function bounded(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
}

interface NodeState {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

async function isReadyNode({ url, token, authority }: RunningApiServer, name: string): Promise<boolean> {
  try {
    const { status, body } = await ask(`${url}/api/v1/nodes/${name}`, { token, authority });
    if (status !== 200) return false;
    const node: NodeState = Object(JSON.parse(body));
    return node.status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
  } catch {
    return false;
  }
}
