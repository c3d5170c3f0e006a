import { readFile } from 'node:fs/promises';

import { readExamples, runExample, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KubeErrorCode } from './kube-error.ts';

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

/** Every code, or the compiler complains. */
const codes: Readonly<Record<KubeErrorCode, true>> = {
  aborted: true,
  'already-exists': true,
  'apply-conflict': true,
  'bad-answer': true,
  'bad-config': true,
  'bad-request': true,
  conflict: true,
  connection: true,
  expired: true,
  forbidden: true,
  invalid: true,
  'not-found': true,
  server: true,
  timeout: true,
  'too-many-requests': true,
  unauthorized: true,
  unsupported: true,
};

it('lists every error code', () => {
  const listed = [...readme.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1]);

  expect(listed).toEqual(Object.keys(codes));
});
