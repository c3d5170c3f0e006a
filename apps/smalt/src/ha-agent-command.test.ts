import { EventEmitter, once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { connect } from '@smalt/libvirt';
import { haAgentFields } from '@smalt/node-agent';
import { expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { haAgentCommand } from './ha-agent-command.ts';

it('tells the HA service what happens to a domain, until it is told to stop', { timeout: 30_000 }, async () => {
  await using daemon = await startTestDaemon();
  await using state = await mkdtempDisposable(join(tmpdir(), 'smalt-ha-'));
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(`${request.url} ${body}`);
      const { epoch, lastSequence } = Object(JSON.parse(body));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ epoch, acknowledged: lastSequence }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  const flags = ['--node', 'n1', '--state', state.path, '--libvirt', daemon.uri, '--ha-url', url, '--listen', ''];
  const program = fakeProgram(flags);
  const ended = haAgentCommand(program.context);
  await program.ready;
  await expect.poll(() => bodies.length, { timeout: 10_000 }).toBeGreaterThan(0);

  await using connection = await connect(daemon.uri);
  const domain = await connection.domainLookupByName({ name: 'test' });
  await connection.domainSuspend({ domain });
  await expect.poll(() => bodies.some((body) => body.includes('suspended')), { timeout: 10_000 }).toBe(true);
  program.process.emit('SIGTERM', 'SIGTERM');

  expect(await ended).toBe(0);
  expect(bodies[0]).toMatch(/^\/api\/v1\/nodes\/n1\/telemetry \{/);
  server.close();
});

it('prints every flag', async () => {
  const program = fakeProgram(['--help']);

  expect(await haAgentCommand(program.context)).toBe(0);
  const text = program.output.join('');
  for (const { flag } of haAgentFields()) expect(text).toContain(`--${flag}`);
});

it.each([
  { words: ['--ha-url', 'nonsense'], message: 'service.url must be an address such as https://ha.example' },
  { words: ['--libvirt', 'qemu+ssh://h/system'], message: 'libvirt: ' },
])('refuses $words in one sentence', async ({ words, message }) => {
  const program = fakeProgram(['--state', '/tmp/nowhere', '--listen', '', ...words]);

  await expect(haAgentCommand(program.context)).rejects.toThrow(message);
});

function fakeProgram(words: readonly string[]) {
  const output: string[] = [];
  const ready = Promise.withResolvers<void>();
  const process = Object.assign(new EventEmitter(), { exit: () => undefined });
  const context: CommandContext = {
    arguments: words,
    environment: {},
    process,
    output: { write: (text) => output.push(text) },
    errors: { write: () => undefined },
    onReady: ready.resolve,
  };
  return { context, process, output, ready: ready.promise };
}
