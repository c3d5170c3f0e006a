// The 47 files of examples/ in the sources of KubeVirt (github.com/kubevirt/kubevirt, commit d923fdb, after 1.9), and what its
// admission does with each, read from its code with the feature gates that are open by default. The manifests are our own:
// the fields of each that matter.
import type { JsonObject } from '@smalt/json';
import { isKubeError } from '@smalt/kube';
import { virtualMachineInstanceKind } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { KUBEVIRT_EXAMPLES, type KubeVirtExample } from './fixtures/kubevirt-examples.ts';
import { startPluggedBed, type PluggedBed } from './fixtures/plugged-bed.ts';

const PLURALS: Readonly<Record<string, string>> = {
  MigrationPolicy: 'migrationpolicies',
  PriorityClass: 'priorityclasses',
};
const CLUSTER_KINDS = ['MigrationPolicy', 'PriorityClass', 'VirtualMachineClusterInstancetype'];
const outcomes = new Map<string, Outcome>();
let bed: PluggedBed;

beforeAll(async () => {
  bed = await startPluggedBed();
  for (const example of KUBEVIRT_EXAMPLES) outcomes.set(example.file, await apply(example));
}, 60_000);

afterAll(() => bed[Symbol.asyncDispose]());

it('are all here, each once', () => {
  const files = KUBEVIRT_EXAMPLES.map(({ file }) => file);

  expect(new Set(files).size).toBe(47);
  expect(files).toHaveLength(47);
});

it.each(KUBEVIRT_EXAMPLES)('$file is judged as KubeVirt judges it: $verdict', ({ file, verdict }) => {
  const { causes } = outcomes.get(file) ?? { causes: undefined };

  const fields = causes?.map(({ field }) => field);

  expect(fields).toEqual(verdict === 'accepted' ? [] : verdict);
});

it('migration-job is refused where the instance is not there', async () => {
  const example = KUBEVIRT_EXAMPLES.find(({ file }) => file === 'migration-job');
  const object = { ...example?.object, metadata: { name: 'early' }, spec: { vmiName: 'nobody' } };

  const { causes } = await create(object);

  expect(causes.map(({ message }) => message).join()).toContain('nobody');
});

it.each(['vm-cirros-clarge', 'vm-cirros-cluster-csmall'])('%s is taken without memory of its own', async (file) => {
  const example = KUBEVIRT_EXAMPLES.find((each) => each.file === file);
  const spec = Object(example?.object['spec']);
  const { memory: _memory, ...domain } = spec.template.spec.domain;
  const template = { ...spec.template, spec: { ...spec.template.spec, domain } };

  const { causes } = await create({
    ...example?.object,
    metadata: { name: `${file}-lean` },
    spec: { ...spec, template },
  });

  expect(causes).toEqual([]);
});

interface Outcome {
  readonly causes: readonly { readonly field: string; readonly message: string }[];
}

/** What is to be moved runs by then. */
async function apply({ file, object }: KubeVirtExample): Promise<Outcome> {
  if (file === 'migration-job') {
    const status = { phase: 'Running', nodeName: 'n1', conditions: [{ type: 'LiveMigratable', status: 'True' }] };
    const controller = await bed.member('smalt-virt-controller');
    const instances = controller.resource(virtualMachineInstanceKind);
    await instances.patch('vmi-migratable', 'merge', { status }, { namespace: 'default' });
  }
  return await create(object);
}

async function create(object: JsonObject): Promise<Outcome> {
  const [group, name] = [textOf(object['apiVersion']), textOf(object['kind'])];
  const plural = PLURALS[name] ?? `${name.toLowerCase()}s`;
  const place = CLUSTER_KINDS.includes(name) ? plural : `namespaces/default/${plural}`;
  const path = `/apis/${group}/${place}?fieldValidation=Strict`;
  try {
    await bed.admin.request({ method: 'POST', path, body: JSON.stringify(object) });
    return { causes: [] };
  } catch (error) {
    if (!isKubeError(error, 'invalid')) throw error;
    return { causes: (error.status?.details?.causes ?? []).map(causeOf) };
  }
}

type Cause = Outcome['causes'][number];

function causeOf({ field = '', message = '' }: Partial<Cause>): Cause {
  return { field, message };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
