import { startTestApiServer } from '@smalt/bed-kubernetes';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { expect, it } from 'vitest';

import { KubeClient } from './kube-client.ts';
import { loadKubeConfig } from './load-kube-config.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const kind: KindReference<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  isNamespaced: true,
};

it('holds on to text with any characters, on either server', { timeout: 60_000 }, async () => {
  await using server = await startTestApiServer();
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  await using client = new KubeClient({ config, userAgent: 'kube-test/1' });
  const maps = client.resource(kind);
  const data = { reason: 'a < b && c > d: "\\u003c" and \\<, é, \u2028, \u2029, \u007F, \t\n, 🦊' };
  const { metadata } = await maps.create({ metadata: { generateName: 'text-', namespace: 'default' }, data });
  const { name, namespace } = metadata;

  const patched = await maps.patch(
    name,
    'json',
    [
      { op: 'test', path: '/data', value: data },
      { op: 'test', path: '/data/reason', value: data.reason },
      { op: 'add', path: '/data/copy', value: data.reason },
    ],
    { namespace },
  );

  expect(patched.data).toEqual({ reason: data.reason, copy: data.reason });
});
