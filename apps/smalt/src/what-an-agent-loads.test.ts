import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

import { startSmaltApiServer, type SmaltApiServer } from '@smalt/bed-kubernetes';
import { startTestDaemon } from '@smalt/bed-libvirt';
import { startOvsNode } from '@smalt/bed-ovs';
import { hypervisorKind } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { ovsNodeKind } from '@smalt/ovs-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

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
  process.argv = [process.argv[0], 'smalt', ...process.argv.slice(1)];
  await import(${JSON.stringify(MAIN)});
`;

const stack = new AsyncDisposableStack();
let server: SmaltApiServer;
let client: KubeClient;

beforeAll(async () => {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  server = stack.use(await startSmaltApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = stack.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(client, signal);
}, TIMEOUT_MS);

afterAll(async () => {
  await stack.disposeAsync();
});

it(
  'loads no package of others but one for XML, and no part of Node that is large, for a hypervisor',
  { timeout: TIMEOUT_MS },
  async () => {
    await using daemon = await startTestDaemon();
    await using state = await mkdtempDisposable(join(tmpdir(), 'smalt-loads-'));
    const flags = {
      '--node': 'loads',
      '--libvirt': daemon.uri,
      '--state': state.path,
      '--certificates-directory': join(state.path, 'pki'),
    };
    const hypervisors = client.resource(hypervisorKind);

    const { packages, builtIn } = await loadedBy(
      ['node-agent', '--register', ...Object.entries(flags).flat()],
      async () => {
        const hypervisor = await hypervisors.get('loads').catch(() => undefined);
        return hypervisor?.status?.numInstances === 1;
      },
    );

    expect(packages).toEqual(['@rgrove/parse-xml']);
    expect(Object.keys(HEAVY).filter((name) => builtIn.includes(name))).toEqual([]);
    expect(builtIn).toContain('https');
  },
);

it('loads no package of others, and no part of Node that is large, for a switch', { timeout: TIMEOUT_MS }, async () => {
  await using node = await startOvsNode({ datapath: 'dummy' });
  await node.vsctl('add-br', 'br-int');
  const flags = { '--node': 'loads', '--namespace': 'default', '--run-directories': node.runDirectory };
  const ovsNodes = client.resource(ovsNodeKind);

  const { packages, builtIn } = await loadedBy(['ovs-agent', ...Object.entries(flags).flat()], async () => {
    const object = await ovsNodes.get('loads', { namespace: 'default' }).catch(() => undefined);
    return object?.status?.bridges?.length === 1;
  });

  expect(packages).toEqual([]);
  expect(Object.keys(HEAVY).filter((name) => builtIn.includes(name))).toEqual([]);
});

interface Loaded {
  readonly packages: readonly string[];
  readonly builtIn: readonly string[];
}

/** Runs an agent until it has done what it is there for, and tells what it has loaded. */
async function loadedBy(command: readonly string[], hasWorked: () => Promise<boolean>): Promise<Loaded> {
  const common = ['--kubeconfig', server.kubeconfig, '--listen', '127.0.0.1:0'];
  const words = ['--input-type=module', '--eval', PROGRAM, '--', ...command, ...common];
  const agent = spawn(NODE, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  using _killed = { [Symbol.dispose]: () => agent.kill('SIGKILL') };
  const output = text(agent.stdout);
  await expect.poll(hasWorked, { timeout: 30_000 }).toBe(true);
  agent.kill('SIGTERM');
  await once(agent, 'exit');
  return JSON.parse(await output);
}
