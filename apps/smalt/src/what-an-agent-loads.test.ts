import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { startSmaltApiServer } from '@smalt/bed-kubernetes';
import { startTestDaemon } from '@smalt/bed-libvirt';
import { hypervisorKind } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { expect, it } from 'vitest';

import { installDefinitions } from './install-definitions.ts';

const NODE = resolve(import.meta.dirname, '../../../node_modules/.bin/node');
const MAIN = join(import.meta.dirname, 'main.ts');
const TIMEOUT_MS = 60_000;

/** What each of these takes, in MiB, for as long as an agent runs. */
const HEAVY = {
  'internal/deps/undici/undici': 16,
  http2: 2,
  'internal/webstreams/readablestream': 2,
  worker_threads: 1.5,
};

// The program is told to stop by a signal, and then tells on its way out what it has loaded.
const PROGRAM = `
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => {
    const packages = loaded.map((url) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]).filter(Boolean);
    const builtIn = process.moduleLoadList.map((name) => name.replace('NativeModule ', ''));
    writeSync(1, JSON.stringify({ packages: [...new Set(packages)], builtIn }));
  });
  process.argv = [process.argv[0], 'smalt', 'node-agent', ...process.argv.slice(1)];
  await import(${JSON.stringify(MAIN)});
`;

it(
  'loads no package of others but one for XML, and no part of Node that is large',
  { timeout: TIMEOUT_MS },
  async () => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    await using daemon = await startTestDaemon();
    await using state = await mkdtempDisposable(join(tmpdir(), 'smalt-loads-'));
    await using server = await startSmaltApiServer({ signal });
    const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
    await using client = new KubeClient({ config, userAgent: 'test/1' });
    await installDefinitions(client, signal);
    const flags = {
      '--node': 'loads',
      '--kubeconfig': server.kubeconfig,
      '--libvirt': daemon.uri,
      '--state': state.path,
      '--listen': '127.0.0.1:0',
      '--certificates-directory': join(state.path, 'pki'),
    };
    const words = ['--input-type=module', '--eval', PROGRAM, '--', '--register', ...Object.entries(flags).flat()];

    const agent = spawn(NODE, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    using _killed = { [Symbol.dispose]: () => agent.kill('SIGKILL') };
    const output = text(agent.stdout);
    const hypervisors = client.resource(hypervisorKind);
    const instances = async (): Promise<number | undefined> =>
      (await hypervisors.get('loads').catch(() => undefined))?.status?.numInstances;
    await expect.poll(instances, { timeout: 30_000 }).toBe(1);
    agent.kill('SIGTERM');
    await once(agent, 'exit');

    const { packages, builtIn } = JSON.parse(await output);
    expect(packages).toEqual(['@rgrove/parse-xml']);
    expect(Object.keys(HEAVY).filter((name) => builtIn.includes(name))).toEqual([]);
    expect(builtIn).toContain('https');
  },
);
