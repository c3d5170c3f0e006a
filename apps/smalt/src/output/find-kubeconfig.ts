import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { loadKubeConfig, type KubeConfig } from '@smalt/kube';

import { readHolder } from '../up/claim-data-directory.ts';
import { dataNames, dataPath, defaultDataDirectory } from '../up/data-directory.ts';
import type { ClusterFlags } from './command-flags.ts';

/** The administrator's, below the files of the API server. */
const ADMIN_FILE = 'identity/admin.kubeconfig';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds out which cluster is meant: the one of `--kubeconfig`, else of KUBECONFIG, else the `smalt up` that runs on this
 * machine, if its administrator is who asks, else what kubectl would take.
 */
export async function findKubeConfig(
  { kubeconfig, context }: ClusterFlags,
  environment: Environment,
): Promise<KubeConfig> {
  const path = kubeconfig ?? ((environment['KUBECONFIG'] ?? '') === '' ? await ownKubeConfig(environment) : undefined);
  return await loadKubeConfig({ path, context, environment });
}

/** Where the `smalt up` keeps its state whose kubeconfig is named, or which is the usual one on this machine. */
export function ownDataDirectory({ kubeconfig }: ClusterFlags, environment: Environment): string {
  const named = kubeconfig ?? environment['KUBECONFIG'] ?? '';
  const place = join(dataNames.apiServer, ADMIN_FILE);
  if (named.endsWith(`/${place}`)) return resolve(named.slice(0, -place.length));
  return defaultDataDirectory({ userId: process.getuid?.(), environment, home: homedir() });
}

/** The kubeconfig of the `smalt up` that runs here, where the caller may read it. */
async function ownKubeConfig(environment: Environment): Promise<string | undefined> {
  const directory = ownDataDirectory({}, environment);
  const path = join(dataPath(directory, 'apiServer'), ADMIN_FILE);
  const isReadable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  return isReadable && (await readHolder(directory)) !== undefined ? path : undefined;
}
