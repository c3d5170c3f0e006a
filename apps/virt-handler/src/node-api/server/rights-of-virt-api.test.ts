import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { findOperation } from './find-operation.ts';
import { ACTIONS, QUESTIONS, TELEMETRY, verbOf } from './node-operation.ts';

const FILE = resolve(import.meta.dirname, '../../../../../deploy/helm/smalt/files/rbac/virt-api.yaml');

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

// No request shows these rights: handlers ask the cluster whether virt-api has them.
it('asks of virt-api what its role in the chart has, and that role has nothing else of it', async () => {
  const guest = '/v1/namespaces/default/virtualmachineinstances/web';
  const paths = [
    ...['console', 'vnc', 'portforward/22', ...QUESTIONS, ...TELEMETRY, ...ACTIONS].map((each) => `${guest}/${each}`),
    ...TELEMETRY.map((each) => `/v1/nodes/n1/${each}`),
  ];

  const asked = paths.map((path) => {
    const method = ACTIONS.some((each) => path.endsWith(`/${each}`)) ? 'PUT' : 'GET';
    const operation = findOperation(method, path);
    return `${verbOf(operation)} ${operation.resource}/${operation.subresource}`;
  });

  expect(asked.toSorted()).toEqual((await grantedToVirtApi()).toSorted());
});

async function grantedToVirtApi(): Promise<readonly string[]> {
  const objects = parseAllDocuments(await readFile(FILE, 'utf8')).map((each) => Object(each.toJS()));
  const role = objects.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'smalt-virt-api');
  const rules: readonly Rule[] = role.rules.filter(({ apiGroups }: Rule) =>
    apiGroups.includes('subresources.kubevirt.io'),
  );
  return rules.flatMap(({ resources, verbs }) => resources.flatMap((each) => verbs.map((verb) => `${verb} ${each}`)));
}
