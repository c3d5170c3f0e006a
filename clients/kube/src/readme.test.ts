import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startSmaltApiServer, type SmaltApiServer } from '@smalt/bed-kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { KubeErrorCode } from './kube-error.ts';

const run = promisify(execFile);
const root = new URL('../../../', import.meta.url).pathname;
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((match, index) => ({
  title: `${index + 1}, under "${/.*^#+ (.*?)$/ms.exec(readme.slice(0, match.index))?.[1]}",`,
  code: match[1] ?? '',
}));

describe('the examples of the README', () => {
  let server: SmaltApiServer;
  let folder: string;

  beforeAll(async () => {
    server = await startSmaltApiServer({ signal: AbortSignal.timeout(60_000) });
    await mkdir(join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(join(root, '.cache', 'readme-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
    await server[Symbol.asyncDispose]();
  });

  it.each(examples)('example $title runs against a real server', async ({ title, code }) => {
    const file = join(folder, `example-${title.split(',')[0]}.ts`);
    await writeFile(file, code);

    const { stdout } = await run(process.execPath, [file], { timeout: 20_000, env: { KUBECONFIG: server.kubeconfig } });

    expect(stdout).not.toBe('');
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
