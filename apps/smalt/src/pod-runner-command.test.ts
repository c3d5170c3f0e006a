import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApiServer, untilObject } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { podRunnerFields } from '@smalt/pod-runner';
import { expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { podRunnerCommand } from './pod-runner-command.ts';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

it('registers its node and runs until it is told to stop', { timeout: 60_000 }, async () => {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(await startTestApiServer());
  const directory = await mkdtemp(join(tmpdir(), 'smalt-runner-'));
  stack.defer(() => rm(directory, { recursive: true }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  const client = stack.use(new KubeClient({ config, userAgent: 'test/1' }));
  const places = [
    '--pods',
    `${directory}/pods`,
    '--images',
    `${directory}/images`,
    '--volumes',
    `${directory}/volumes`,
  ];
  const flags = ['--kubeconfig', server.kubeconfig, '--listen', '127.0.0.1:0', '--runs-processes=false', ...places];
  const program = fakeProgram(flags, { NODE_NAME: 'hv7' });

  const ended = podRunnerCommand(program.context);
  await program.ready;
  const objects = client.resource(nodeKind);
  const node = await untilObject({
    objects,
    name: 'hv7',
    isWanted: () => true,
    timeoutMs: 10_000,
  });
  program.process.emit('SIGTERM', 'SIGTERM');

  expect(await ended).toBe(0);
  expect(node.metadata.labels).toMatchObject({ 'kubernetes.io/hostname': 'hv7' });
});

it('prints every flag', async () => {
  const program = fakeProgram(['--help']);

  expect(await podRunnerCommand(program.context)).toBe(0);
  const text = program.output.join('');
  for (const { flag } of podRunnerFields()) expect(text).toContain(`--${flag}`);
});

it.each([
  { words: ['--pods', 'here'], message: 'pods' },
  { words: ['--max-pods', '0'], message: 'max-pods' },
  { words: ['--kubeconfig', '/nowhere/config'], message: '/nowhere/config' },
])('refuses $words in one sentence', async ({ words, message }) => {
  const program = fakeProgram(words);

  await expect(podRunnerCommand(program.context)).rejects.toThrow(message);
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
