import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const CHART = 'deploy/helm/smalt';

/**
 * A digest of what plain manifests are rendered from, and of themselves, by paths below the root: with it anybody can tell that both
 * are still those of one moment, without Helm.
 */
export async function chartDigest(root: string, manifests: readonly string[]): Promise<string> {
  const folders = await Promise.all(['templates', 'files'].map((name) => filesIn(root, `${CHART}/${name}`)));
  const paths = [...folders.flat(), `${CHART}/Chart.yaml`, `${CHART}/values.yaml`, ...manifests];
  const all = createHash('sha256');
  for (const path of paths.toSorted()) {
    const content = await readFile(join(root, path)).catch(() => Buffer.alloc(0));
    all.update(`${path} ${createHash('sha256').update(content).digest('hex')}\n`);
  }
  return all.digest('hex');
}

async function filesIn(root: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(root, join(parentPath, name)));
}
