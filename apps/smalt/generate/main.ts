import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { parseAllDocuments } from 'yaml';

/** What the parts of `smalt up` may do: the files that a cluster is given for the same parts. */
const FILES = [
  'deploy/helm/smalt/files/rbac/pod-runner.yaml',
  'deploy/helm/smalt/files/rbac/scheduler.yaml',
  'deploy/helm/smalt/files/rbac/virt-controller.yaml',
  'deploy/helm/smalt/files/rbac/virt-handler.yaml',
  'deploy/helm/smalt/files/rbac/node-agent.yaml',
  'deploy/helm/smalt/files/rbac/ovs-agent.yaml',
  'deploy/helm/smalt/files/rbac/ha-service.yaml',
  'deploy/helm/smalt/files/rbac/console.yaml',
  'deploy/helm/smalt/files/rbac/virtual-machines-compute.yaml',
  'deploy/helm/smalt/files/rbac/virt-api.yaml',
];
/** It is also for what one machine has not: Nova's pods, Gardener, cert-manager. */
const OPERATOR_FILE = 'deploy/helm/smalt/files/rbac/hypervisor-operator.yaml';
const FOREIGN_NAMESPACES: readonly unknown[] = ['nova', 'kube-system', 'monsoon3'];
/** Policies guard a cluster against its own nodes; on one machine all of them are root's. */
const POLICY = /^ValidatingAdmissionPolicy/;
const PATH = 'apps/smalt/src/generated/roles.gen.ts';

const isCheck = process.argv.includes('--check');
const root = new URL('../../../', import.meta.url);
const lines: string[] = [];
for (const file of [...FILES, OPERATOR_FILE]) {
  const text = await readFile(new URL(file, root), 'utf8');
  for (const document of parseAllDocuments(text)) {
    const isForeign = file === OPERATOR_FILE && FOREIGN_NAMESPACES.includes(document.getIn(['metadata', 'namespace']));
    if (isForeign || POLICY.test(String(document.get('kind')))) continue;
    lines.push(`  ${JSON.stringify(JSON.stringify(document.toJS()))},`);
  }
}
const wanted = [
  "// Written by 'npm run generate' from deploy/helm/smalt/files/rbac. Change the files there instead.",
  '',
  'export const roles: readonly string[] = [',
  ...lines,
  '];',
  '',
].join('\n');
const target = new URL(PATH, root);
const found = await readFile(target, 'utf8').catch(() => '');
if (found !== wanted) {
  console.log(isCheck ? `${PATH} is stale: run 'npm run generate'` : `wrote ${PATH}`);
  if (isCheck) process.exitCode = 1;
  else {
    await mkdir(new URL('.', target), { recursive: true });
    await writeFile(target, wanted);
  }
}
