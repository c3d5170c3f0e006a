import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { findHelm, findKubernetes, startKubernetes } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { CONDITIONS_OF_BEFORE, OBJECTS_OF_BEFORE, STATUS_OF_BEFORE } from './installation/objects-of-before.ts';
import { PageReader } from './installation/page-reader.ts';
import { fieldsOf } from './installation/schema-fields.ts';

const REPOSITORY = resolve(import.meta.dirname, '..');
const OPERATOR = join(REPOSITORY, '.cache/openstack-hypervisor-operator/charts/openstack-hypervisor-operator');
const AGENT = join(REPOSITORY, '.cache/kvm-node-agent/charts/kvm-node-agent');
const THEIRS = [
  join(OPERATOR, 'crds/kvm.cloud.sap_hypervisors.yaml'),
  join(OPERATOR, 'crds/kvm.cloud.sap_evictions.yaml'),
  join(AGENT, 'crds/kvm.cloud.sap_migrations.yaml'),
];
const OURS = ['hypervisors', 'evictions', 'migrations'].map((kind) =>
  join(REPOSITORY, `deploy/helm/smalt/files/crds/${kind}.kvm.cloud.sap.yaml`),
);
/** What their charts do not do without, and no objects of programs that are not here. */
const OPERATOR_VALUES = [
  'secret.servicePassword=none',
  'fullnameOverride=hypervisor-operator',
  'serviceMonitor.enabled=false',
  'prometheusRules.create=false',
];
const AGENT_VALUES = ['controllerManager.manager.env.nodeLabelFieldPath=metadata.name'];
const MOST_BYTES = 64 * 1024 * 1024;
const SOON = { timeout: 20_000, interval: 500 };
const programs = findKubernetes();
const helm = findHelm();
const isMissing = programs === undefined || helm === undefined || ![...THEIRS].every((path) => existsSync(path));
const run = promisify(execFile);
const owned = new AsyncDisposableStack();
let directory: string;
let kubeconfig: string;
let reader: PageReader;

/** What is there of the fleet, without what every write changes. */
type Fleet = Readonly<Record<string, unknown>>;

// The charts of the others are not ours to keep: CONTRIBUTING.md says where the checkouts come from.
describe.skipIf(isMissing)(
  'a fleet (needs npm run bed:kubernetes -- --build, and two checkouts in .cache that CONTRIBUTING.md names)',
  { timeout: 300_000 },
  () => {
    let before: Fleet;

    beforeAll(async () => {
      if (programs === undefined || helm === undefined) return;
      const options = { controllers: true, isDurable: false };
      ({ kubeconfig } = owned.use(await startKubernetes(programs, AbortSignal.timeout(200_000), options)));
      ({ path: directory } = owned.use(await mkdtempDisposable(join(tmpdir(), 'moving-'))));
      reader = await PageReader.sitDown({ story: 'from another operator', directory, kubeconfig, helm, names: {} });
    }, 240_000);
    afterAll(() => owned.disposeAsync(), 60_000);

    it('begins with the charts and definitions of the others', async () => {
      const words = ['--namespace', 'monsoon3', '--create-namespace'];
      await runHelm(['install', 'operator', OPERATOR, ...words, '--set', OPERATOR_VALUES.join(',')]);
      await runHelm(['install', 'kvm-node-agent', AGENT, ...words, '--set', AGENT_VALUES.join(',')]);
      await kubectl(['apply', '-f', '-'], OBJECTS_OF_BEFORE);
      const status = JSON.stringify({ status: STATUS_OF_BEFORE });
      await kubectl(['patch', 'hv', 'hv1', '--subresource=status', '--type=merge', '-p', status]);

      before = await fleet();

      expect(Object.keys(before)).toEqual(['Eviction/hv1', 'Hypervisor/hv1', 'Hypervisor/hv2']);
    });

    it('has no field that our definitions would drop', async () => {
      const [theirs, ours] = await Promise.all([THEIRS, OURS].map((files) => Promise.all(files.map(definedFields))));

      const dropped = theirs?.flatMap((fields, index) =>
        [...fields].filter((each) => ours?.[index]?.has(each) !== true),
      );

      expect(theirs?.[0]?.size).toBeGreaterThan(50);
      expect(dropped).toEqual([]);
    });

    it('is the same under our definitions, which nobody deletes by the way', async () => {
      await reader.follow('moving.md', 'before.yaml');
      await reader.write('moving.yaml', '# moving.yaml');
      await writeFile(join(directory, 'clouds.yaml'), 'clouds: {}\n');
      await kubectl(['create', 'namespace', 'smalt-system']);
      await reader.follow('moving.md', 'create secret generic clouds');

      expect(await fleet()).toEqual(before);
      const remove = ['delete', 'crd', 'hypervisors.kvm.cloud.sap', '--wait=false'];
      const refused = 'if that is wanted, say so first';
      // Kubernetes goes by a new policy a moment after it was taken.
      await vi.waitFor(() => expect(kubectl([...remove, '--dry-run=server'])).rejects.toThrow(refused), SOON);
      await expect(kubectl(remove)).rejects.toThrow(refused);
    });

    it('gives a node from the agent of before to ours', async () => {
      await reader.follow('moving.md', 'patch daemonset kvm-node-agent');

      const place = '{.spec.template.spec.affinity.nodeAffinity..matchExpressions[*].key}';
      const agents = ['get', 'daemonset', '-A', '-l', 'app.kubernetes.io/name in (kvm-node-agent,smalt-node-agent)'];
      const named = await kubectl([...agents, '-o', 'name']);
      const keys = await kubectl([...agents, '-o', `jsonpath={range .items[*]}${place}{end}`]);
      expect(named.trim().split('\n')).toHaveLength(2);
      expect(keys).toContain('smalt.dev/node-agent');
    });

    it('can be rid of a condition that nobody writes any more', async () => {
      await reader.follow('moving.md', 'map(.type) | to_entries');

      const types = await kubectl(['get', 'hv', 'hv1', '-o', 'jsonpath={.status.conditions[*].type}']);
      expect(types.split(' ')).toEqual(CONDITIONS_OF_BEFORE.filter((type) => type !== 'HaAgent'));
      const status = JSON.stringify({ status: STATUS_OF_BEFORE });
      await kubectl(['patch', 'hv', 'hv1', '--subresource=status', '--type=merge', '-p', status]);
    });

    it('is the same when all of it goes back', async () => {
      await runHelm(['uninstall', 'smalt', '--namespace', 'smalt-system']);
      const files = THEIRS.flatMap((path) => ['-f', path]);
      await kubectl(['apply', '--server-side', '--force-conflicts', ...files]);

      expect(await fleet()).toEqual(before);
      expect(reader.left).toEqual([]);
    });
  },
);

async function fleet(): Promise<Fleet> {
  const text = await kubectl(['get', 'hypervisors,evictions,migrations.kvm.cloud.sap', '-A', '-o', 'json']);
  const { items }: { readonly items: readonly unknown[] } = Object(JSON.parse(text));
  const named = items.map((each) => {
    const { kind, metadata, spec, status } = Object(each);
    return [`${kind}/${metadata.name}`, { uid: metadata.uid, spec, status }] as const;
  });
  return Object.fromEntries(named.toSorted(([a], [b]) => a.localeCompare(b)));
}

async function definedFields(path: string): Promise<ReadonlySet<string>> {
  const { spec } = Object(parse(await readFile(path, 'utf8')));
  return fieldsOf(spec.versions[0].schema.openAPIV3Schema);
}

async function kubectl(words: readonly string[], input = ''): Promise<string> {
  const running = run('kubectl', ['--kubeconfig', kubeconfig, ...words], { maxBuffer: MOST_BYTES });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

async function runHelm(words: readonly string[]): Promise<void> {
  await run(helm ?? '', [...words, '--kubeconfig', kubeconfig], { env: { HOME: directory }, maxBuffer: MOST_BYTES });
}
