import { EventEmitter } from 'node:events';

import { installDefinitions, startTestApiServer } from '@smalt/bed-kubernetes';
import { startOvsNode } from '@smalt/bed-ovs';
import { isNotFound, KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { ovsAgentFields } from '@smalt/ovs-agent';
import { ovsNodeKind, readOvsDefinitions } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { ovsAgentCommand } from './ovs-agent-command.ts';

const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

it('reports on the Open vSwitch of a node until it is told to stop', { timeout: 60_000 }, async () => {
  const signal = AbortSignal.timeout(60_000);
  await using server = await startTestApiServer({ signal });
  await using node = await startOvsNode({ datapath: 'dummy', name: 'hv7' });
  await node.vsctl('add-br', 'br-int');
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  await using client = new KubeClient({ config, userAgent: 'test/1' });
  await installDefinitions(client, await readOvsDefinitions(), signal);
  await client.resource(namespaceKind).create({ metadata: { name: 'ovn-system' } });
  const flags = ['--kubeconfig', server.kubeconfig, '--run-directories', node.runDirectory, '--listen', '127.0.0.1:0'];
  const program = fakeProgram(flags, { NODE_NAME: 'hv7' });

  const ended = ovsAgentCommand(program.context);
  await program.ready;
  const bridges = async (): Promise<readonly string[] | undefined> => {
    const object = await client
      .resource(ovsNodeKind)
      .get('hv7', { namespace: 'ovn-system' })
      .catch((error: unknown) => (isNotFound(error) ? undefined : Promise.reject(error)));
    return object?.status?.bridges?.map(({ name }) => name);
  };
  await expect.poll(bridges, { timeout: 10_000 }).toEqual(['br-int']);
  program.process.emit('SIGTERM', 'SIGTERM');

  expect(await ended).toBe(0);
});

it('prints every flag', async () => {
  const program = fakeProgram(['--help']);

  expect(await ovsAgentCommand(program.context)).toBe(0);
  const text = program.output.join('');
  for (const { flag } of ovsAgentFields()) expect(text).toContain(`--${flag}`);
});

it.each([
  { words: ['--disabled-rules', 'Nothing'], message: 'disabledRules: there is no rule "Nothing"' },
  { words: ['--refresh', '5'], message: '--refresh' },
  { words: ['--kubeconfig', '/nowhere/config'], message: '/nowhere/config' },
])('refuses $words in one sentence', async ({ words, message }) => {
  const program = fakeProgram(words);

  await expect(ovsAgentCommand(program.context)).rejects.toThrow(message);
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
