import { startApiServer, type ApiServer } from '@smalt/apiserver';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { Logger } from '@smalt/service-runtime';

import { explainStartFailure } from '../explain-start-failure.ts';
import { installDefinitions } from '../install-definitions.ts';

const HOST = '127.0.0.1';
const KUBERNETES_PORT = 6443;

export interface StartApiOptions {
  readonly dataDirectory: string;
  /** Left out: that of Kubernetes, or a free one where that is taken. */
  readonly port?: number | undefined;
  /** Further addresses that clients reach it by. */
  readonly names?: readonly string[];
  readonly log: Logger;
}

/** The API server of this machine, and its administrator. */
export interface RunningApi extends AsyncDisposable {
  readonly server: ApiServer;
  readonly client: KubeClient;
  /** How many kinds of ours it serves. */
  readonly kinds: number;
}

/** Starts the API server of this machine on loopback, and teaches it our kinds. */
export async function startApi(options: StartApiOptions, signal: AbortSignal): Promise<RunningApi> {
  await using owner = new AsyncDisposableStack();
  const server = owner.use(await startOnSomePort(options, signal));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  const client = owner.use(new KubeClient({ config, userAgent: 'smalt/0.1' }));
  const kinds = await installDefinitions(client, signal);
  const owned = owner.move();
  return { server, client, kinds, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startOnSomePort(options: StartApiOptions, signal: AbortSignal): Promise<ApiServer> {
  if (options.port !== undefined) return await start(options, options.port, signal);
  try {
    return await start(options, KUBERNETES_PORT, signal);
  } catch (error) {
    // Another API server has it, perhaps.
    if (!isPortTaken(error)) throw error;
    return await start(options, 0, signal);
  }
}

async function start(options: StartApiOptions, port: number, signal: AbortSignal): Promise<ApiServer> {
  const { dataDirectory, names = [], log } = options;
  const listen = { host: HOST, port };
  try {
    return await startApiServer({ dataDirectory, listen, names, log }, signal);
  } catch (error) {
    throw signal.aborted ? error : explainStartFailure(error, { dataDirectory, listen, flag: '--api-port' });
  }
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}
