import { join } from 'node:path';

import { startApiServer, type ApiServer } from '@smalt/apiserver';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { Logger } from '@smalt/service-runtime';

import { explainStartFailure } from './explain-start-failure.ts';
import { installDefinitions } from './install-definitions.ts';

const HOST = '127.0.0.1';
const KUBERNETES_PORT = 6443;

export interface StartApiOptions {
  readonly stateDirectory: string;
  /** Left out: that of Kubernetes, or a free one where that is taken. */
  readonly port?: number | undefined;
  readonly print: (line: string) => void;
  readonly log: Logger;
}

/** Starts the API server of this machine, and teaches it our kinds. */
export async function startApi(options: StartApiOptions, signal: AbortSignal): Promise<ApiServer> {
  await using owner = new AsyncDisposableStack();
  const server = owner.use(await startOnSomePort(options, signal));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  await using client = new KubeClient({ config, userAgent: 'smalt/0.1' });
  const kinds = await installDefinitions(client, signal);
  options.print(`the API server answers on ${server.url} and serves our ${kinds} kinds`);
  owner.move();
  return server;
}

/** How a person uses the API from here on. */
export function apiHints(server: ApiServer): readonly string[] {
  return [
    `  export KUBECONFIG=${quoted(server.kubeconfig)}`,
    '  kubectl api-resources',
    '  kubectl explain virtualmachine.spec',
    '  kubectl get hypervisors',
    '  npx smalt image build-demo && kubectl apply -f docs/examples/demo.yaml && npx smalt console demo',
  ];
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

async function startOnSomePort(options: StartApiOptions, signal: AbortSignal): Promise<ApiServer> {
  if (options.port !== undefined) return await start(options, options.port, signal);
  try {
    return await start(options, KUBERNETES_PORT, signal);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    options.print(`port ${KUBERNETES_PORT} is taken, by another API server perhaps; taking a free one`);
    return await start(options, 0, signal);
  }
}

async function start(options: StartApiOptions, port: number, signal: AbortSignal): Promise<ApiServer> {
  const dataDirectory = join(options.stateDirectory, 'apiserver');
  const listen = { host: HOST, port };
  try {
    return await startApiServer({ dataDirectory, listen, log: options.log }, signal);
  } catch (error) {
    throw signal.aborted ? error : explainStartFailure(error, { dataDirectory, listen });
  }
}

function isPortTaken(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}
