import { access, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

import type { KubeConfig } from './kube-config.ts';
import { KubeError } from './kube-error.ts';
import { parseKubeConfig, type KubeConfigFile } from './parse-kube-config.ts';

const ACCOUNT_DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface LoadOptions {
  /** A file to use and no other; `--kubeconfig`. */
  readonly path?: string | undefined;
  readonly context?: string | undefined;
  /** The environment of the process: KUBECONFIG, and what Kubernetes tells a pod. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly accountDirectory?: string | undefined;
  readonly homeDirectory?: string | undefined;
}

/**
 * Finds out how to reach the API server, as kubectl does: the file that was named, else those of KUBECONFIG, else
 * `~/.kube/config`, else the service account of the pod that this runs in.
 */
export async function loadKubeConfig(options: LoadOptions): Promise<KubeConfig> {
  if (options.path !== undefined) return parseKubeConfig([await readConfig(options.path)], options.context);
  const listed = (options.environment['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const candidates = listed.length > 0 ? listed : [join(options.homeDirectory ?? homedir(), '.kube/config')];
  const present = await filterPresent(candidates);
  if (present.length > 0) return parseKubeConfig(await Promise.all(present.map(readConfig)), options.context);
  if (isInCluster(options.environment)) return inClusterConfig(options);
  throw new KubeError('bad-config', `no kubeconfig: none of ${candidates.join(', ')} exists, and this is not a pod`);
}

export function isInCluster(environment: Readonly<Record<string, string | undefined>>): boolean {
  return environment['KUBERNETES_SERVICE_HOST'] !== undefined && environment['KUBERNETES_SERVICE_PORT'] !== undefined;
}

/** What Kubernetes gives every pod: an address in the environment, and a token that is renewed in a file. */
export async function inClusterConfig({
  environment,
  accountDirectory = ACCOUNT_DIRECTORY,
}: LoadOptions): Promise<KubeConfig> {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  if (host === undefined || port === undefined) {
    throw new KubeError('bad-config', 'this is not a pod: KUBERNETES_SERVICE_HOST and _PORT are not set');
  }
  const namespace = await readText(join(accountDirectory, 'namespace'));
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls: { authority: { kind: 'file', path: join(accountDirectory, 'ca.crt') }, isInsecure: false },
    identity: { kind: 'token', token: { kind: 'file', path: join(accountDirectory, 'token') } },
    namespace: namespace.trim(),
  };
}

async function filterPresent(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return paths.filter((_path, index) => found[index]);
}

async function readConfig(path: string): Promise<KubeConfigFile> {
  return { path, text: await readText(path) };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new KubeError('bad-config', `${path} cannot be read: ${reason}`, { cause: error });
  }
}
