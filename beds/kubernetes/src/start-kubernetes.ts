import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openBedDirectory } from '@smalt/bed-libvirt';

import type { ControlPlane } from './control-plane/control-plane.ts';
import type { KubernetesOptions } from './control-plane/kubernetes-options.ts';
import { startControlPlane } from './control-plane/start-control-plane.ts';
import { BedKubernetesError } from './error.ts';
import { freePorts } from './free-ports.ts';
import { keepAuditLog } from './keep-audit-log.ts';
import type { KubernetesPrograms } from './kubernetes-programs.ts';
import type { TestApiServer } from './test-api-server.ts';

const LOOPBACK = '127.0.0.1';
const ATTEMPTS = 3;

/** The real API server, and what it runs with. */
export interface Kubernetes extends TestApiServer {
  /** Where its etcd answers. */
  readonly etcdUrl: string;
  /**
   * Has etcd forget all but what is now. Once the API server was started again, which remembers the last changes by itself, a watch or
   * list that goes on where it was before is told that it has expired.
   */
  compact(signal: AbortSignal): Promise<void>;
}

/** Starts a real etcd and kube-apiserver, with an administrator's token, and what else is asked for. */
export async function startKubernetes(
  programs: KubernetesPrograms,
  signal: AbortSignal,
  options: KubernetesOptions = {},
): Promise<Kubernetes> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnPorts(programs, await freePorts(5), signal, options);
    } catch (error) {
      // Ports that were free when they were looked for may be somebody else's when the servers listen on them.
      if (attempt === ATTEMPTS || !isPortTaken(error)) throw error;
    }
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof BedKubernetesError && error.message.includes('address already in use');
}

async function startOnPorts(
  programs: KubernetesPrograms,
  ports: readonly number[],
  signal: AbortSignal,
  options: KubernetesOptions,
): Promise<Kubernetes> {
  await using owner = new AsyncDisposableStack();
  // What is there of owners that were killed is removed by the next one.
  const parent = join(tmpdir(), `smalt-kubernetes-${process.getuid?.() ?? 0}`);
  const { path: directory } = owner.use(await openBedDirectory(parent));
  owner.defer(() => keepAuditLog(directory));
  const [apiserver = 0, etcd = 0, etcdPeer = 0, controllerManager = 0, scheduler = 0] = ports;
  const { address = LOOPBACK } = options;
  const place = {
    directory,
    address,
    ports: { apiserver, etcd, etcdPeer, controllerManager, scheduler },
    scheme: address === LOOPBACK ? 'http' : 'https',
    hasNodes: false,
    enter: [],
  } as const;
  const { controlPlane } = owner.use(await startControlPlane(programs, place, options, signal));
  return kubernetesOf(controlPlane, owner.move());
}

/** What tests see of a control plane; disposing of it disposes of all that it owns. */
export function kubernetesOf(controlPlane: ControlPlane, owned: AsyncDisposable): Kubernetes {
  return {
    url: controlPlane.url,
    token: controlPlane.token,
    authority: controlPlane.authority,
    directory: controlPlane.directory,
    kubeconfig: controlPlane.kubeconfig,
    get processes() {
      return controlPlane.processes;
    },
    startMs: controlPlane.startMs,
    etcdUrl: controlPlane.etcdUrl,
    kill: () => controlPlane.kill(),
    restart: (signal) => controlPlane.restart(signal),
    compact: (signal) => controlPlane.compact(signal),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
