import { copyFile, mkdtempDisposable, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePorts, startSmaltApiServer, type SmaltApiServer } from '@smalt/bed-kubernetes';
import { Informer } from '@smalt/controller-runtime';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { expect, it } from 'vitest';

const secretKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  isNamespaced: true,
};

it('who watches an API server that was put back to an older state sees that state, and every write after it', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-put-back-'));
  const data = join(directory.path, 'data');
  const [port] = await freePorts(1);
  const start = (): Promise<SmaltApiServer> =>
    startSmaltApiServer({ directory: data, port, signal: AbortSignal.timeout(40_000) });
  const write = (client: KubeClient, name: string) =>
    client.resource(secretKind).create({ metadata: { name, namespace: 'default' } });
  const kept = join(directory.path, 'kept.sqlite');
  await (await start())[Symbol.asyncDispose]();
  await copyFile(join(data, 'store.sqlite'), kept);
  const first = await start();
  const config = await loadKubeConfig({ environment: { KUBECONFIG: first.kubeconfig } });
  await using client = new KubeClient({ config, userAgent: 'test' });
  const secrets = new Informer(client.resource(secretKind), { select: { namespace: 'default' }, onFailure: () => {} });
  const stopping = new AbortController();
  const running = secrets.run(stopping.signal);
  for (let count = 0; count < 30; count++) await write(client, `lost-${count}`);
  await expect.poll(() => secrets.cache.list().length, { timeout: 10_000 }).toBe(30);

  await first[Symbol.asyncDispose]();
  await rm(join(data, 'store.sqlite-wal'), { force: true });
  await copyFile(kept, join(data, 'store.sqlite'));
  await using _second = await start();
  await write(client, 'new');

  const names = (): readonly string[] => secrets.cache.list().map(({ metadata }) => metadata.name);
  await expect.poll(names, { timeout: 40_000 }).toEqual(['new']);
  stopping.abort();
  await running;
}, 120_000);
