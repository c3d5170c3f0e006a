import {
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { machine } from '../fixtures/machine-definition.ts';
import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it('keeps the informer of the official JavaScript client current', async () => {
  const config = new KubeConfig();
  config.loadFromFile(bed.api.server.kubeconfig);
  const client = config.makeApiClient(CustomObjectsApi);
  const path = '/apis/bench.example.dev/v1/namespaces/default/machines';
  const parameters = { group: 'bench.example.dev', version: 'v1', namespace: 'default', plural: 'machines' };
  await bed.api.call('POST', path, { body: machine('before') });
  const seen: string[] = [];
  const over = Promise.withResolvers<void>();
  const informer = makeInformer(
    config,
    path,
    async () => (await client.listNamespacedCustomObject(parameters)) as KubernetesListObject<KubernetesObject>,
  );
  informer.on('add', (object) => seen.push(`add ${object.metadata?.name}`));
  informer.on('update', (object) => seen.push(`update ${object.metadata?.name}`));
  informer.on('delete', (object) => {
    seen.push(`delete ${object.metadata?.name}`);
    over.resolve();
  });
  informer.on('error', (error: unknown) => over.reject(error));
  await informer.start();

  await bed.api.call('POST', path, { body: machine('after') });
  const headers = { 'content-type': 'application/merge-patch+json' };
  await bed.api.call('PATCH', `${path}/after`, { body: { spec: { cpus: 5 } }, headers });
  await bed.api.call('DELETE', `${path}/after`);
  await over.promise;
  await informer.stop();

  expect(seen).toEqual(['add before', 'add after', 'update after', 'delete after']);
});
