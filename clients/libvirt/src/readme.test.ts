import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { daemonErrorCodes } from './daemon-error-codes.ts';
import type { ClientErrorCode } from './libvirt-error.ts';

const run = promisify(execFile);
const root = new URL('../../../', import.meta.url).pathname;
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^```ts( no-run)?\n(.*?)^```$/gms)].map((match, index) => ({
  title: `${index + 1}, under "${/.*^#+ (.*?)$/ms.exec(readme.slice(0, match.index))?.[1]}",`,
  isRun: match[1] === undefined,
  code: match[2] ?? '',
}));

describe('the examples of the README', () => {
  let daemon: TestDaemon;
  let secure: TestDaemon;
  let folder: string;

  beforeAll(async () => {
    const sasl = { username: 'alice', password: 'correct horse' };
    [daemon, secure] = await Promise.all([startTestDaemon(), startTestDaemon({ sasl })]);
    await mkdir(join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(join(root, '.cache', 'readme-'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true });
    await Promise.all([daemon, secure].map((each) => each[Symbol.asyncDispose]()));
  });

  it.each(examples.filter(({ isRun }) => isRun))(
    'example $title runs against a real daemon',
    async ({ title, code }) => {
      const file = join(folder, `example-${title.split(',')[0]}.ts`);
      await writeFile(file, withRealUris(code));

      const { stdout } = await run(process.execPath, [file], { timeout: 20_000 });

      expect(stdout).not.toBe('');
    },
  );

  it.each(examples.filter(({ isRun }) => !isRun))('example $title is at least TypeScript', ({ code }) => {
    expect(() => stripTypeScriptTypes(code)).not.toThrow();
  });

  function withRealUris(code: string): string {
    return code
      .replaceAll('qemu+tcp://hv1.example/system', daemon.uri)
      .replaceAll('qemu+unix:///system', `test+unix:///default?socket=${daemon.socketPath}`)
      .replaceAll('qemu+tls://hv1.example/system', secure.tlsUri ?? '');
  }
});

/** Every code, or the compiler complains. */
const clientErrorCodes: Readonly<Record<ClientErrorCode, true>> = {
  aborted: true,
  authentication: true,
  closed: true,
  'connect-failed': true,
  'connect-timeout': true,
  'connection-lost': true,
  'invalid-uri': true,
  'keepalive-timeout': true,
  protocol: true,
  'queue-full': true,
  timeout: true,
  unsupported: true,
};

it('lists every error code', () => {
  const listed = new Set([...readme.matchAll(/`([a-z0-9-]+)`/g)].map((match) => match[1]));
  const codes = [...Object.values(daemonErrorCodes), 'unknown', ...Object.keys(clientErrorCodes)];

  expect(codes.filter((code) => !listed.has(code))).toEqual([]);
});
