import { findKubernetes, startKubernetes, type Kubernetes } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { kubectl } from './fixtures/kubernetes-tools.ts';
import { findHelm, renderChart } from './helm.ts';
import { renderedObjects, type RenderedObject } from './rendered-objects.ts';

const TIMEOUT_MS = 300_000;
const programs = findKubernetes();
const helm = findHelm();
const NAMESPACE = 'smalt-system';
/** What virt-api, the HA service and the console write into objects of the chart. */
const FILLED = ['smalt-ha-authority', 'smalt-console-signed-out'];
const HOOKS = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'];

describe.skipIf(programs === undefined || helm === undefined)(
  'objects that parts write into, when the chart is applied again (needs npm run bed:kubernetes -- --build)',
  { timeout: TIMEOUT_MS },
  () => {
    const owned = new AsyncDisposableStack();
    let server: Kubernetes;
    let authority: string;

    beforeAll(async () => {
      if (programs === undefined) return;
      server = owned.use(await startKubernetes(programs, AbortSignal.timeout(TIMEOUT_MS), { isDurable: false }));
      authority = server.authority.toString('base64');
      await run(['create', 'namespace', NAMESPACE]);
    }, TIMEOUT_MS);
    afterAll(() => owned.disposeAsync(), TIMEOUT_MS);

    beforeEach(async () => {
      await run(['delete', '--ignore-not-found', '-f', '-'], textOf(await chartObjects()));
    }, TIMEOUT_MS);

    // As Argo CD does it by itself, and as it does with ServerSideApply=true, and Flux.
    it.each([{ how: [] }, { how: ['--server-side', '--force-conflicts'] }])(
      'keep what was written, and show no difference, by kubectl apply $how',
      async ({ how }) => {
        const before = await chartObjects();
        await run(['apply', ...how, '-f', '-'], textOf(before));
        await fill(before);
        const filled = await writtenInto(before);

        const differences = await run(['diff', ...how, '-f', '-'], textOf(before));
        // So that each of them is written.
        await run(['apply', ...how, '-f', '-'], textOf(await chartObjects({ team: 'a' })));

        expect(filled.size).toBeGreaterThan(20);
        expect(new Set(filled.values())).toEqual(new Set([authority, 'x']));
        expect(differences).toBe('');
        expect(await writtenInto(before)).toEqual(filled);
        expect(await run(['get', 'mutatingwebhookconfigurations', '-l', 'team=a', '-o', 'name'])).not.toBe('');
      },
    );

    it('lose it when they are replaced', async () => {
      const before = await chartObjects();
      await run(['apply', '-f', '-'], textOf(before));
      await fill(before);

      await run(['replace', '-f', '-'], textOf(before));

      expect(new Set((await writtenInto(before)).values())).toEqual(new Set(['']));
    });

    async function fill(written: readonly RenderedObject[]): Promise<void> {
      for (const object of written) {
        const patch = JSON.stringify([...(await placesIn(object)).keys()].map((path) => added(path)));
        const place = [object.kind, object.metadata.name, '-n', NAMESPACE];
        await run(['patch', ...place, '--type=json', '--field-manager=smalt-virt-api', '-p', patch]);
      }
    }

    function added(path: string): object {
      return { op: 'add', path, value: path === '/data' ? { x: 'x' } : authority };
    }

    async function writtenInto(written: readonly RenderedObject[]): Promise<ReadonlyMap<string, string>> {
      const found = await Promise.all(
        written.map(async (object) => {
          const places = await placesIn(object);
          return [...places].map(([path, value]) => [`${object.kind}/${object.metadata.name}${path}`, value] as const);
        }),
      );
      return new Map(found.flat());
    }

    /** Where parts write in an object, and what is there. */
    async function placesIn({ kind, metadata }: RenderedObject): Promise<ReadonlyMap<string, string>> {
      const { webhooks, spec, data } = Object(
        JSON.parse(await run(['get', kind, metadata.name, '-n', NAMESPACE, '-o', 'json'])),
      );
      if (kind === 'ConfigMap') return new Map([['/data', String(data?.x ?? '')]]);
      if (kind === 'APIService') return new Map([['/spec/caBundle', String(spec.caBundle ?? '')]]);
      const hooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[] = webhooks;
      return new Map(
        hooks.map(({ clientConfig: { caBundle = '' } }, index) => [
          `/webhooks/${index}/clientConfig/caBundle`,
          caBundle,
        ]),
      );
    }

    async function run(words: readonly string[], input?: string): Promise<string> {
      return await kubectl(server.kubeconfig, words, input);
    }
  },
);

async function chartObjects(labels: Readonly<Record<string, string>> = {}): Promise<readonly RenderedObject[]> {
  const all = renderedObjects(await renderChart(helm ?? '', { values: { labels } }));
  return all.filter(
    ({ kind, metadata: { name } }) => kind === 'APIService' || HOOKS.includes(kind) || FILLED.includes(name),
  );
}

function textOf(objects: readonly RenderedObject[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
}
