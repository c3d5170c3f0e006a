import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const FILES = ['virt-api/deployment.yaml', 'virt-controller/deployment.yaml', 'virt-handler/daemonset.yaml'];
const manifests = (await Promise.all(FILES.map(readManifests))).flat();
const workloads = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'DaemonSet');

describe('the parts of the VM layer in deploy', () => {
  it('are all of one image', () => {
    const images = workloads.flatMap(({ spec }) => spec?.template?.spec.containers.map(({ image }) => image) ?? []);

    expect(images).toHaveLength(FILES.length);
    expect(new Set(images).size).toBe(1);
  });

  it('have a limit to the memory that they take', () => {
    const limits = workloads.flatMap(
      ({ spec }) => spec?.template?.spec.containers.map(({ resources }) => resources?.limits?.['memory']) ?? [],
    );

    expect(limits).toEqual(FILES.map(() => expect.stringMatching(/^\d+[MG]i$/)));
  });

  it.each(workloads.filter(({ kind }) => kind === 'Deployment').map(({ metadata, spec }) => [metadata.name, spec]))(
    'of which %s is never drained away as a whole, and is reached at its named ports alone',
    (_, spec) => {
      const labels = spec?.template?.metadata.labels;
      const ports = spec?.template?.spec.containers.flatMap(
        (container) => container.ports?.map(({ name }) => name) ?? [],
      );

      const budget = manifests.find((each) => each.kind === 'PodDisruptionBudget' && same(each.spec?.selector, labels));
      const policy = manifests.find((each) => each.kind === 'NetworkPolicy' && same(each.spec?.podSelector, labels));

      expect(spec?.replicas).toBeGreaterThan(1);
      expect(budget?.spec).toMatchObject({ minAvailable: 1 });
      expect(policy?.spec?.ingress).toEqual([{ ports: ports?.map((port) => ({ port })) }]);
    },
  );
});

type Labels = Readonly<Record<string, string>>;

interface Selector {
  readonly matchLabels: Labels;
}

/** What is looked at of a manifest, whatever its kind. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: Selector;
    readonly podSelector?: Selector;
    readonly ingress?: readonly unknown[];
    readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  };
}

interface PodSpec {
  readonly containers: readonly {
    readonly image: string;
    readonly ports?: readonly { readonly name: string }[];
    readonly resources?: { readonly limits?: Labels };
  }[];
}

function same(selector: Selector | undefined, labels: Labels | undefined): boolean {
  return JSON.stringify(selector?.matchLabels) === JSON.stringify(labels);
}

async function readManifests(file: string): Promise<readonly Manifest[]> {
  const text = await readFile(resolve(import.meta.dirname, '../../../deploy', file), 'utf8');
  return parseAllDocuments(text).map((document): Manifest => Object(document.toJS()));
}
