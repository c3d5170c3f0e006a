import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const NODE = resolve(import.meta.dirname, '../../../node_modules/.bin/node');
const INDEX = join(import.meta.dirname, 'index.ts');

// See docs/decisions/0015-our-own-log-lines.md
const PROGRAM = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const { startApiServer } = await import(${JSON.stringify(INDEX)});
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => log, level: 'silent', setLevel: quiet };
  const options = { dataDirectory: process.argv[1], listen: { host: '127.0.0.1', port: 0 }, log };
  const server = await startApiServer(options, AbortSignal.timeout(20_000));
  const packages = ['domain/structural-schema', 'protocols/cel', 'node_modules/'];
  const own = packages.filter((name) => loaded.some((url) => url.includes('/' + name)));
  const builtIn = ['NativeModule internal/deps/undici/undici', 'NativeModule worker_threads'];
  console.log(JSON.stringify([...own, ...builtIn.filter((name) => process.moduleLoadList.includes(name))]));
  await server[Symbol.asyncDispose]();
`;

it('loads neither schemas nor expressions nor fetch nor a package of others for a server without definitions', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'loaded-'));
  try {
    const { stdout } = await promisify(execFile)(NODE, ['--input-type=module', '--eval', PROGRAM, directory]);

    expect(JSON.parse(stdout)).toEqual([]);
  } finally {
    await rm(directory, { recursive: true });
  }
}, 40_000);
