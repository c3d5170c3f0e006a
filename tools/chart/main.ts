// Writes what is made of the chart: the schema of its values, the table in its README, and plain manifests for those without Helm.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { chartDigest } from './chart-digest.ts';
import { readChartValues } from './chart-values.ts';
import { findHelm, renderChart, type RenderOptions } from './helm.ts';
import { valuesSchema } from './values-schema.ts';
import { withValuesTable } from './values-table.ts';

const CHART = 'deploy/helm/smalt';
/** Not among the rest: who deletes that would delete the guard as well, and the definitions could go with all their objects. */
const GUARD = 'deploy/definitions-policy.yaml';
const ALL = 'deploy/smalt.yaml';
/** What Helm keeps, for the same reason: kubectl would delete it with the rest, and with its namespaces what is in them. */
const KEPT = 'deploy/kept.yaml';
/** Definitions come before their guard: who turns the line round, and deletes what it names, is refused. */
const HEAD = `# Rendered from the chart deploy/helm/smalt by 'npm run generate', in the namespace smalt-system, for those without Helm.
#   kubectl create namespace smalt-system
#   kubectl label namespace smalt-system pod-security.kubernetes.io/enforce=privileged
#   kubectl apply --server-side -f deploy/helm/smalt/files/crds -f ${GUARD}
`;
/** What comes after that, before the objects of a file. */
const NEXT: Readonly<Record<string, string>> = {
  [GUARD]: '',
  [KEPT]: `#   kubectl apply --server-side -f ${KEPT}
# An uninstall leaves these, so do not delete by this file: what is no namespace would go. Namespaces, with which goes what is in them,
# virtual machines among it, have to be asked for twice: docs/install/uninstall.md.
`,
  [ALL]: `#   kubectl apply --server-side -f ${KEPT}
#   kubectl apply --server-side -f ${ALL}
`,
};
/** Whom objects say they are looked after by. */
const BY_HELM = /(?<=^ +app[.]kubernetes[.]io\/managed-by: )Helm$/gmv;
const BY_KUBECTL = 'kubectl';
/** By which anybody without Helm sees that the manifests are still those of the chart. */
const DIGEST = 'deploy/rendered.sha256';
const crds = { fleet: false, virtualMachines: false, switches: false };
/** The defaults, and each part that is off by itself and needs nothing that a cluster has not. */
const manifests: Readonly<Record<string, RenderOptions>> = {
  [ALL]: { values: { crds: { ...crds, protect: false } } },
  [GUARD]: { values: { crds }, flags: only('crds') },
  'deploy/ovs-agent.yaml': { values: { ovsAgent: { enabled: true } }, flags: only('ovs-agent') },
  'deploy/libvirt.yaml': { values: { libvirt: { managed: { enabled: true } } }, flags: only('libvirt') },
  'deploy/logs.yaml': { values: { logs: { enabled: true } }, flags: only('logs') },
};

const isCheck = process.argv.includes('--check');
const root = new URL('../../', import.meta.url);
const helm = findHelm();
const values = readChartValues(await readFile(new URL(`${CHART}/values.yaml`, root), 'utf8'));
await keep(`${CHART}/values.schema.json`, `${JSON.stringify(valuesSchema(values), undefined, 2)}\n`);
const page = await readFile(new URL(`${CHART}/README.md`, root), 'utf8');
await keep(`${CHART}/README.md`, withValuesTable(page, values));
if (helm !== undefined) {
  for (const [path, options] of Object.entries(manifests)) {
    const rendered = await renderChart(helm, options);
    const tidy = rendered.replaceAll(/[ \t]+$/gm, '').replaceAll(/\n{2,}/g, '\n');
    const documents = tidy
      .replaceAll(BY_HELM, BY_KUBECTL)
      .split(/^(?=---$)/m)
      .filter((document) => !isJob(document));
    const rest = path === ALL ? documents.filter((document) => !isKept(document)) : documents;
    await keep(path, headed(path, rest));
    if (path === ALL) await keep(KEPT, headed(KEPT, documents.filter(isKept)));
  }
} else if (!isCheck) {
  console.log(
    'the manifests in deploy are left as they are, for there is no helm: npm run bed:kubernetes -- --build builds one',
  );
}
// Without Helm it cannot be mended, but be seen.
if (helm !== undefined || isCheck) {
  const digest = await chartDigest(fileURLToPath(root), [...Object.keys(manifests), KEPT]);
  await keep(DIGEST, `${digest}\n`);
}

function isKept(document: string): boolean {
  return document.includes('helm.sh/resource-policy: keep');
}

/**
 * A Job cannot be changed, and only Helm has another one take its place: who applies a file once more, with a registry of their
 * own in it, would be refused. Its CronJob does the same a little later.
 */
function isJob(document: string): boolean {
  return /^kind: Job$/mv.test(document);
}

function headed(path: string, documents: readonly string[]): string {
  const next = NEXT[path] ?? `#   kubectl apply --server-side -f ${path}\n`;
  return `${HEAD}${next}${documents.join('')}`;
}

function only(template: string): readonly string[] {
  return ['--show-only', `templates/${template}.yaml`];
}

async function keep(path: string, wanted: string): Promise<void> {
  const file = new URL(path, root);
  const found = await readFile(file, 'utf8').catch(() => '');
  if (found === wanted) return;
  const advice = helm === undefined && path === DIGEST ? ' with helm (npm run bed:kubernetes -- --build)' : '';
  console.log(isCheck ? `${path} is stale: run 'npm run generate'${advice}` : `wrote ${path}`);
  if (isCheck) process.exitCode = 1;
  else await writeFile(file, wanted);
}
