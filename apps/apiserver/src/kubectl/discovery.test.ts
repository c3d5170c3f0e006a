import { afterAll, beforeAll, expect, it } from 'vitest';

import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it.concurrent('knows the version of the server', async () => {
  expect(await bed.output(['version'])).toMatch(/Server Version: .*v1\.36\./);
});

it.concurrent('lists built-in and custom kinds with their short names', async () => {
  const resources = await bed.output(['api-resources']);

  expect(resources).toMatch(/^configmaps +cm +v1 +true +ConfigMap$/m);
  expect(resources).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
  expect(resources).toMatch(/^machines +mc +bench\.example\.dev\/v1 +true +Machine$/m);
});

it.concurrent('lists groups and versions', async () => {
  const versions = await bed.output(['api-versions']);

  expect(versions.split('\n')).toEqual(expect.arrayContaining(['v1', 'apps/v1', 'bench.example.dev/v1']));
});

it.concurrent('finds the kinds of a category', async ({ skip }) => {
  skip(bed.clientMinor < 26, 'this kubectl cannot choose by category');

  expect(await bed.output(['api-resources', '--categories=all', '-o', 'name'])).toContain('machines.bench.example.dev');
});

it.concurrent('says where the server is', async () => {
  expect(await bed.output(['cluster-info'])).toContain(bed.api.server.url);
});

it.concurrent('says that a kind does not exist', async () => {
  const result = await bed.run(['get', 'unicorns']);

  expect(result).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the server doesn\'t have a resource type "unicorns"'),
  });
});
