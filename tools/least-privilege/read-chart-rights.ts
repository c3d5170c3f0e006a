import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import type { RightsObject } from './granted-rights.ts';

const FILES = 'deploy/helm/smalt/files/rbac';
const RENDERED = 'deploy/smalt.yaml';
const KIND = /^(?:Cluster)?Role(?:Binding)?$/v;
/** The role that the chart binds with `haService.ironcore` alone, and to whom. */
const IRONCORE: RightsObject = {
  kind: 'ClusterRoleBinding',
  metadata: { name: 'smalt-ha-service-ironcore' },
  roleRef: { kind: 'ClusterRole', name: 'smalt-ha-service-ironcore' },
  subjects: [{ kind: 'ServiceAccount', name: 'smalt-ha-service', namespace: 'smalt-system' }],
};

/**
 * Every role and binding of the chart: those of its plain files, which `smalt up` has as well, and those that stand in templates, as
 * they are rendered by default.
 */
export async function readChartRights(root: string): Promise<readonly RightsObject[]> {
  const files = (await readdir(join(root, FILES))).filter((name) => name.endsWith('.yaml'));
  const plain = await Promise.all(files.toSorted().map((name) => read(join(root, FILES, name))));
  const known = new Set(plain.flat().map(({ metadata }) => metadata.name));
  const rendered = await read(join(root, RENDERED));
  return [...plain.flat(), IRONCORE, ...rendered.filter(({ metadata }) => !known.has(metadata.name))];
}

async function read(path: string): Promise<readonly RightsObject[]> {
  return parseAllDocuments(await readFile(path, 'utf8'))
    .map((document): RightsObject => Object(document.toJS()))
    .filter(({ kind }) => KIND.test(kind ?? ''));
}
