import { readFile } from 'node:fs/promises';

import { readExamples, runExample, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { MetricsRegistry } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ControllerMetrics } from './controller-metrics.ts';

const readmeUrl = new URL('../README.md', import.meta.url);
const readme = await readFile(readmeUrl, 'utf8');

describe('the examples of the README', async () => {
  const examples = await readExamples(readmeUrl);
  let server: TestApiServer;

  beforeAll(async () => {
    server = await startTestApiServer();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it.each(examples)('example $title runs against a real server', async (example) => {
    const printed = await runExample(example, { KUBECONFIG: server.kubeconfig });

    expect(printed).not.toBe('');
  });
});

it('lists every metric of a controller', () => {
  const registry = new MetricsRegistry();
  new ControllerMetrics(registry).forController('any', 1);

  const names = [...registry.expose().matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]);

  expect(names.filter((name) => !readme.includes(`| \`${name}\` |`))).toEqual([]);
});
