import { EventEmitter } from 'node:events';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { startTestDaemon } from '@smalt/bed-libvirt';
import { hypervisorKind } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { nodeAgentFields } from '@smalt/node-agent';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { installDefinitions } from './install-definitions.ts';
import { nodeAgentCommand } from './node-agent-command.ts';

let server: TestApiServer;
let client: KubeClient;

beforeAll(async () => {
  server = await startTestApiServer();
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = new KubeClient({ config, userAgent: 'test/1' });
  await installDefinitions(client, AbortSignal.timeout(110_000));
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

it('reports until it is told to stop, and answers for itself', { timeout: 30_000 }, async () => {
  await using daemon = await startTestDaemon();
  await using state = await mkdtempDisposable(join(tmpdir(), 'smalt-agent-'));
  const port = 20_000 + (process.pid % 10_000);
  const words = ['--kubeconfig', server.kubeconfig, '--state', state.path, '--register', '--libvirt', daemon.uri];
  const program = fakeProgram([...words, '--listen', `127.0.0.1:${port}`], { HOSTNAME: 'from-environment' });

  const ended = nodeAgentCommand(program.context);
  await program.ready;
  const hypervisors = client.resource(hypervisorKind);
  const instances = async (): Promise<number | undefined> =>
    (await hypervisors.get('from-environment').catch(() => undefined))?.status?.numInstances;
  await expect.poll(instances, { timeout: 10_000 }).toBe(1);
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  program.process.emit('SIGTERM', 'SIGTERM');

  expect(await ended).toBe(0);
  expect(ready.status).toBe(200);
  expect(metrics).toMatch(/^libvirt_up 1$/m);
  expect(metrics).toMatch(/^smalt_agent_info\{node="from-environment",/m);
});

it('prints every flag', async () => {
  const program = fakeProgram(['--help']);

  expect(await nodeAgentCommand(program.context)).toBe(0);
  const text = program.output.join('');
  for (const { flag } of nodeAgentFields()) expect(text).toContain(`--${flag}`);
});

it.each([
  { words: ['--nod', 'x'], message: 'unknown flag --nod; did you mean "--node"?' },
  { words: ['--node', 'Not A Name'], message: 'nodeName: "Not A Name" is not the name of a node' },
  { words: ['--libvirt', 'qemu+ssh://host/system'], message: 'libvirt: ' },
  { words: ['--poll-seconds', '0'], message: '--poll-seconds' },
  { words: ['--listen', '9177'], message: '--listen must be an address and a port' },
  { words: ['--ha-certificate', '/a'], message: 'ha.certificate is given without ha.key: give both' },
  { words: ['--daemon', 'other'], message: '--daemon' },
])('refuses $words in one sentence', async ({ words, message }) => {
  const program = fakeProgram(['--kubeconfig', server.kubeconfig, '--state', '/tmp/nowhere', '--listen', '', ...words]);

  await expect(nodeAgentCommand(program.context)).rejects.toThrow(message);
});

it('is in the table of commands', async () => {
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

  expect(readme).toContain('| `smalt node-agent` |');
});

function fakeProgram(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const output: string[] = [];
  const ready = Promise.withResolvers<void>();
  const process = Object.assign(new EventEmitter(), { exit: () => undefined });
  const context: CommandContext = {
    arguments: words,
    environment,
    process,
    output: { write: (text) => output.push(text) },
    errors: { write: () => undefined },
    onReady: ready.resolve,
  };
  return { context, process, output, ready: ready.promise };
}
