import { EventEmitter } from 'node:events';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { virtApiFields } from '@smalt/virt-api';
import { expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { virtApiCommand } from './virt-api-command.ts';

it('serves beside an API server until it is told to stop', { timeout: 60_000 }, async () => {
  await using server = await startTestApiServer();
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  await using client = new KubeClient({ config, userAgent: 'test/1' });
  const namespace = JSON.stringify({ metadata: { name: 'smalt-system' } });
  await client.request({ method: 'POST', path: '/api/v1/namespaces', body: namespace });
  const flags = ['--kubeconfig', server.kubeconfig, '--listen', '127.0.0.1:0', '--serve-listen', '127.0.0.1:0'];
  const program = fakeProgram(flags);

  const ended = virtApiCommand(program.context);
  await program.ready;
  const path = '/api/v1/namespaces/smalt-system/secrets/smalt-virt-api-certificate';
  const secret = await client.request({ method: 'GET', path });
  const missing = 'objects by which API servers find virt-api are not there';
  await expect.poll(() => program.errors.join('')).toContain(missing);
  program.process.emit('SIGTERM', 'SIGTERM');

  expect(await ended).toBe(0);
  expect(Object.keys(Object(Object(secret).data)).toSorted()).toEqual(['ca.crt', 'ca.key', 'tls.crt', 'tls.key']);
  expect(program.errors.join('')).not.toContain('PRIVATE KEY');
});

it('prints every flag', async () => {
  const program = fakeProgram(['--help']);

  expect(await virtApiCommand(program.context)).toBe(0);
  const text = program.output.join('');
  for (const { flag } of virtApiFields()) expect(text).toContain(`--${flag}`);
});

it.each([
  { words: ['--serve-key', '/k'], message: 'serve.certificate and serve.key go together' },
  { words: ['--mashines-hypervisor', 'qemu'], message: '--machines-hypervisor' },
  { words: ['--kubeconfig', '/nowhere/config'], message: '/nowhere/config' },
])('refuses $words with a sentence', async ({ words, message }) => {
  await expect(virtApiCommand(fakeProgram(words).context)).rejects.toThrow(message);
});

interface FakeProgram {
  readonly context: CommandContext;
  readonly process: EventEmitter;
  readonly ready: Promise<void>;
  readonly output: string[];
  readonly errors: string[];
}

function fakeProgram(words: readonly string[]): FakeProgram {
  const process = new EventEmitter();
  const ready = Promise.withResolvers<void>();
  const output: string[] = [];
  const errors: string[] = [];
  const context: CommandContext = {
    arguments: words,
    environment: {},
    process: Object.assign(process, { exit: () => undefined as never }),
    output: { write: (text) => output.push(text) },
    errors: { write: (text) => errors.push(text) },
    onReady: ready.resolve,
  };
  return { context, process, ready: ready.promise, output, errors };
}
