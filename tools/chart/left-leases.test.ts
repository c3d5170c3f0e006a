import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';

import { readChartValues } from './chart-values.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FILES = 'deploy/helm/smalt/files/rbac';
const page = await read('docs/install/uninstall.md');

it('are named by the page about uninstalling for each agent that may have them outside the namespace of the release', async () => {
  const paths = readChartValues(await read('deploy/helm/smalt/values.yaml')).map(({ path }) => path);
  const moving = paths.filter((path) => /^[A-Za-z]+[.]namespace$/v.test(path));

  expect(moving).toEqual(['nodeAgent.namespace', 'ovsAgent.namespace']);
  for (const path of moving) expect(page).toContain(`\`${path}\``);
});

it('are told there from those of others by the names that agents may give them', async () => {
  const files = await Promise.all(['node-agent-policies', 'ovs-agent'].map((name) => read(`${FILES}/${name}.yaml`)));
  const prefixes = files.flatMap((text) => [...text.matchAll(/"leases" \? "([a-z\-]+)" \+/gv)].map(([, one]) => one));
  const pattern = /get lease -o name \| grep -E '([^']+)' \| xargs -r kubectl -n NAMESPACE delete/v.exec(page)?.[1];
  const isTaken = (name: string): boolean => new RegExp(pattern ?? '^$', 'v').test(`lease.coordination.k8s.io/${name}`);

  expect(prefixes.map((prefix) => isTaken(`${prefix}node-1`))).toEqual([true, true]);
  expect(['smalt-hypervisor-operator', 'ovn-master', 'not-smalt-ovs-agent-node-1'].filter(isTaken)).toEqual([]);
});

async function read(path: string): Promise<string> {
  return await readFile(resolve(ROOT, path), 'utf8');
}
