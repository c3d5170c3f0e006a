#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import type { CommandContext } from './command-context.ts';

// Types are stripped once, not at every start: a fraction of the time and of the memory.
if (import.meta.filename.endsWith('.ts'))
  enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compiled'));

// Each command loads what it needs alone: a server stays for months, and what it never uses stays with it.
const services: Readonly<Record<string, () => Promise<(context: CommandContext) => Promise<number>>>> = {
  apiserver: async () => (await import('./api-server-command.ts')).apiServerCommand,
  certificates: async () => (await import('./certificates-command.ts')).certificatesCommand,
  'host-agents': async () => (await import('./host/host-agents-command.ts')).hostAgentsCommand,
  'ha-agent': async () => (await import('./ha-agent-command.ts')).haAgentCommand,
  'ha-service': async () => (await import('./ha-service-command.ts')).haServiceCommand,
  'libvirt-config': async () => (await import('./libvirt-config-command.ts')).libvirtConfigCommand,
  operator: async () => (await import('./operator-command.ts')).operatorCommand,
  'node-agent': async () => (await import('./node-agent-command.ts')).nodeAgentCommand,
  'ovs-agent': async () => (await import('./ovs-agent-command.ts')).ovsAgentCommand,
  'pod-runner': async () => (await import('./pod-runner-command.ts')).podRunnerCommand,
  'virt-handler': async () => (await import('./virt-handler-command.ts')).virtHandlerCommand,
  scheduler: async () => (await import('./scheduler-command.ts')).schedulerCommand,
  'virt-controller': async () => (await import('./virt-controller-command.ts')).virtControllerCommand,
  'web-console': async () => (await import('./console-server-command.ts')).consoleServerCommand,
  'virt-api': async () => (await import('./virt-api-command.ts')).virtApiCommand,
};

/** What works hard at times; all others are agents, which wait most of the time. */
const BUSY: readonly string[] = [
  'apiserver',
  'operator',
  'ha-service',
  'virt-api',
  'virt-controller',
  'scheduler',
  'web-console',
];

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { describeFailure } = await import('./output/describe-failure.ts');
  const { text, exitCode } = describeFailure(error);
  if (text !== '') console.error(text);
  process.exitCode = exitCode;
}

async function main([command, ...words]: readonly string[]): Promise<number> {
  // There is one per guest: it does without what other services share.
  if (command === 'virt-launcher') return await (await import('./virt-launcher-command.ts')).launcherCommand(words);
  const load = services[command ?? ''];
  if (load === undefined) {
    const { commandLine } = await import('./command-line.ts');
    await commandLine(process.env).parseAsync();
    return Number(process.exitCode ?? 0);
  }
  // Loading makes garbage once; without this the room for it would stay, 10 MiB that an idle server does not need.
  setFlagsFromString('--semi-space-growth-factor=1');
  const isBusy = BUSY.includes(command ?? '');
  if (!isBusy) staySmall();
  const run = await load();
  const { standardStream } = await import('./standard-stream.ts');
  const streams = { output: standardStream(1), errors: standardStream(2) };
  const context = { arguments: words, environment: process.env, process, ...streams };
  // The operator works in bursts, when a fleet starts: a third of the memory is worth 4 % of the time.
  if (isBusy) return run(command === 'operator' ? context : { ...context, onReady: allowGrowth });
  const { keepMemoryLow } = await import('./keep-memory-low.ts');
  using _memory = keepMemoryLow();
  return await run(context);
}

/**
 * Agents run on every node, wait most of the time, and work for milliseconds then: compiling their code to be fast would
 * cost 15 MiB for nothing. Flags count for what is loaded after them.
 */
function staySmall(): void {
  for (const flag of ['--optimize-for-size', '--no-opt', '--no-maglev', '--no-sparkplug']) setFlagsFromString(flag);
}

/** Under load room for garbage is worth having; 2 is what V8 starts with. */
function allowGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}
