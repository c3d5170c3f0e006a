import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ServerProcess, type SmaltProgram } from '@smalt/bed-kubernetes';
import type { KubeClient } from '@smalt/kube';
import { virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';

import { openClient } from '../../node-agent/agent-world.ts';
import { ObjectWatch } from '../../src/object-watch.ts';
import { PeerProcess } from '../../src/peer-process.ts';
import { joinAs, writeKubeconfig, type Member } from './machine-accounts.ts';
import { measuredNode, smaltCommand } from './smalt-program.ts';

const STOP_TIMEOUT_MS = 20_000;
/** Machines of the benchmark do nothing, so that fifty fit on two processors. */
const MANY_PER_PROCESSOR = '--cpu-allocation-ratio=1000';
/** Guests are not root, and have to get through to their files. */
const PASSABLE = 0o711;

/** The API server with virt-api, the scheduler and the controller, a process each. */
export interface ControlPlane extends AsyncDisposable {
  readonly program: SmaltProgram;
  /** For data, logs and what nodes keep; its name is short, for the sockets of guests below it. */
  readonly folder: string;
  readonly kubeconfig: string;
  readonly client: KubeClient;
  readonly watch: ObjectWatch<VirtualMachineInstance>;
  /** Their process ids by what is shown of them. */
  readonly pids: Readonly<Record<'API server' | 'virt-controller' | 'scheduler', number>>;
  /** Where the API server writes down who wrote what. */
  readonly auditLog: string;
  /** Writes the kubeconfig of a further part, and gives its path. */
  kubeconfigOf(member: Member, signal: AbortSignal): Promise<string>;
}

export interface ControlPlaneOptions {
  readonly program: SmaltProgram;
  /** Where nodes reach the API server. */
  readonly address: string;
  readonly signal: AbortSignal;
}

export async function startControlPlane({ program, address, signal }: ControlPlaneOptions): Promise<ControlPlane> {
  await using owner = new AsyncDisposableStack();
  const { path: folder } = owner.use(await mkdtempDisposable(join(tmpdir(), 'vmb-')));
  await chmod(folder, PASSABLE);
  const data = join(folder, 'api');
  const main = join(import.meta.dirname, 'api-main.ts');
  const api = owner.use(new PeerProcess('API server', [...measuredNode(), main, data, address], STOP_TIMEOUT_MS));
  const kubeconfig = String((await api.answer(signal))['kubeconfig']);
  const client = owner.use(await openClient(kubeconfig));
  const kubeconfigOf = async (member: Member, until: AbortSignal): Promise<string> => {
    const path = join(folder, `${member.nodeName ?? 'cluster'}-${member.name}.json`);
    await writeKubeconfig(path, await joinAs(client, member, until));
    return path;
  };
  const start = async (command: string, ...more: readonly string[]): Promise<number> => {
    const config = await kubeconfigOf({ name: `smalt-${command}` }, signal);
    const flags = [`--kubeconfig=${config}`, '--listen=', '--log-level=warn', ...more];
    const words = smaltCommand(program, [command, ...flags]);
    return owner.use(ServerProcess.start(command, words, join(folder, `${command}.log`))).pid;
  };
  const pids = {
    'API server': api.pid,
    'virt-controller': await start('virt-controller', MANY_PER_PROCESSOR),
    scheduler: await start('scheduler'),
  };
  const watch = owner.use(new ObjectWatch(client, virtualMachineInstanceKind));
  const owned = owner.move();
  const dispose = (): Promise<void> => owned.disposeAsync();
  const auditLog = join(data, 'audit.log');
  return { program, folder, kubeconfig, client, watch, pids, auditLog, kubeconfigOf, [Symbol.asyncDispose]: dispose };
}
