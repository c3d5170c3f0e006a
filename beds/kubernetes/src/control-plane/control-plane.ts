import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ask, isOk, type Access } from '../ask.ts';
import { BedKubernetesError } from '../error.ts';
import type { RunningApiServer } from '../running-api-server.ts';
import { ServerProcess } from '../server-process.ts';
import {
  apiserverCommand,
  controllerManagerCommand,
  etcdCommand,
  etcdUrl,
  schedulerCommand,
  type ControlPlaneSettings,
} from './commands.ts';
import { hasServiceAccounts, namedControllers } from './kubernetes-options.ts';

const START_TIMEOUT_MS = 120_000;

export interface ControlPlaneAccess {
  readonly url: string;
  readonly token: string;
  readonly authority: Buffer;
  readonly kubeconfig: string;
  /** As whom the controller manager and the scheduler come. */
  readonly controllerConfig: string;
  readonly schedulerConfig: string;
}

/** A real control plane: etcd, kube-apiserver, and the controller manager and scheduler where they are wanted. */
export class ControlPlane implements RunningApiServer {
  readonly url: string;
  readonly token: string;
  readonly authority: Buffer;
  readonly kubeconfig: string;
  readonly directory: string;
  readonly #settings: ControlPlaneSettings;
  readonly #access: ControlPlaneAccess;
  readonly #processes = new Map<string, ServerProcess>();
  #startMs = 0;

  constructor(settings: ControlPlaneSettings, access: ControlPlaneAccess) {
    this.#settings = settings;
    this.#access = access;
    this.url = access.url;
    this.token = access.token;
    this.authority = access.authority;
    this.kubeconfig = access.kubeconfig;
    this.directory = settings.place.directory;
  }

  get processes(): readonly ServerProcess[] {
    return [...this.#processes.values()];
  }

  get etcdUrl(): string {
    return etcdUrl(this.#settings.place);
  }

  get startMs(): number {
    return this.#startMs;
  }

  /** Starts all of it and resolves when all of it is ready. */
  async start(signal: AbortSignal): Promise<void> {
    const deadline = bounded(signal);
    const startedAt = performance.now();
    const etcd = this.#spawn('etcd', etcdCommand(this.#settings));
    const etcdAccess = await this.#etcdAccess();
    await etcd.whenReady(() => isOk(`${etcdUrl(this.#settings.place)}/health`, etcdAccess), deadline);
    await this.#startApiserver(deadline);
    this.#startMs = performance.now() - startedAt;
    await Promise.all([this.#startControllerManager(deadline), this.#startScheduler(deadline)]);
  }

  /** Ends the API server as a power cut would; the rest runs on. */
  async kill(): Promise<void> {
    await this.#processes.get('kube-apiserver')?.kill();
  }

  /** Starts the API server again, on the same data and the same port; returns how long that took. */
  async restart(signal: AbortSignal): Promise<number> {
    await this.#processes.get('kube-apiserver')?.[Symbol.asyncDispose]();
    const startedAt = performance.now();
    await this.#startApiserver(bounded(signal));
    return performance.now() - startedAt;
  }

  /**
   * Has etcd forget all but what is now. Once the API server was started again, which remembers the last changes by itself, a watch or
   * list that goes on where it was before is told that it has expired.
   */
  async compact(signal: AbortSignal): Promise<void> {
    const url = etcdUrl(this.#settings.place);
    const access = await this.#etcdAccess();
    const { header } = await etcdCall(`${url}/v3/kv/range`, access, { key: 'AA==' });
    signal.throwIfAborted();
    await etcdCall(`${url}/v3/kv/compaction`, access, { revision: String(header.revision), physical: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The last that was started goes first, so that none looks for one that is gone.
    for (const each of this.processes.toReversed()) await each[Symbol.asyncDispose]();
  }

  #spawn(name: string, command: readonly string[]): ServerProcess {
    const { enter, directory } = this.#settings.place;
    const started = ServerProcess.start(name, [...enter, ...command], join(directory, `${name}.log`));
    this.#processes.set(name, started);
    return started;
  }

  async #startApiserver(deadline: AbortSignal): Promise<void> {
    const { url, token, authority } = this.#access;
    const apiserver = this.#spawn('kube-apiserver', apiserverCommand(this.#settings));
    await apiserver.whenReady(() => isOk(`${url}/readyz`, { token, authority }), deadline);
  }

  async #startControllerManager(deadline: AbortSignal): Promise<void> {
    const { place, options } = this.#settings;
    if (namedControllers(options) === undefined) return;
    const { url, token, authority, controllerConfig } = this.#access;
    const manager = this.#spawn('kube-controller-manager', controllerManagerCommand(this.#settings, controllerConfig));
    const health = `https://${place.address}:${place.ports.controllerManager}/healthz`;
    await manager.whenReady(() => isOk(health, { authority }), deadline);
    if (!hasServiceAccounts(options)) return;
    // Until it is there, no pod of the namespace is accepted.
    const account = `${url}/api/v1/namespaces/default/serviceaccounts/default`;
    await manager.whenReady(() => isOk(account, { token, authority }), deadline);
  }

  async #startScheduler(deadline: AbortSignal): Promise<void> {
    const { place, options } = this.#settings;
    if (options.scheduler !== true) return;
    const { authority, schedulerConfig } = this.#access;
    const scheduler = this.#spawn('kube-scheduler', schedulerCommand(this.#settings, schedulerConfig));
    const health = `https://${place.address}:${place.ports.scheduler}/healthz`;
    await scheduler.whenReady(() => isOk(health, { authority }), deadline);
  }

  async #etcdAccess(): Promise<Access | undefined> {
    const { place, keys } = this.#settings;
    if (place.scheme === 'http') return undefined;
    const [certificate, key] = await Promise.all([
      readFile(keys.apiserver.certificatePath),
      readFile(keys.apiserver.keyPath),
    ]);
    return { authority: this.authority, certificate, key };
  }
}

function bounded(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
}

interface EtcdAnswer {
  readonly header: { readonly revision: unknown };
}

async function etcdCall(url: string, access: Access | undefined, question: object): Promise<EtcdAnswer> {
  const { status, body } = await ask(url, access, JSON.stringify(question));
  const answer: { readonly header?: { readonly revision?: unknown } } = Object(JSON.parse(body));
  if (status !== 200 || answer.header === undefined)
    throw new BedKubernetesError('not-ready', `etcd answered ${status} to ${url}: ${body}`);
  return { header: { revision: answer.header.revision } };
}
