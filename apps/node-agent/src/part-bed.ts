import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { AgentPart } from '@smalt/controller-runtime';
import { createLogger } from '@smalt/service-runtime';

import type { AgentContext } from './agent-context.ts';
import { openAgentResources } from './agent-resources.ts';
import type { FleetBed } from './fixtures/fleet-bed.ts';

export interface PartBedOptions {
  readonly bed: FleetBed;
  readonly nodeName: string;
  readonly libvirtUri: string;
  /** Kept from run to run; one of its own that goes if not given. */
  readonly stateDirectory?: string | undefined;
}

/** One part of an agent at work, with the context of a whole one. */
export interface RunningPart extends AsyncDisposable {
  readonly context: AgentContext;
  /** What the part has logged. */
  readonly log: readonly string[];
  /** Resolves when the part has ended, which it does when it is disposed of. */
  readonly ended: Promise<void>;
}

/** Runs one part for tests: informers, status board, events and all are those of a whole agent. */
export async function runPartInBed(
  options: PartBedOptions,
  createPart: (context: AgentContext) => AgentPart,
): Promise<RunningPart> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-part-')));
  const log: string[] = [];
  const logger = createLogger({ name: 'part', level: 'debug', destination: { write: (line) => log.push(line) } });
  const stop = new AbortController();
  const { context, board } = await openAgentResources(
    {
      nodeName: options.nodeName,
      kubeConfig: options.bed.agentConfig,
      libvirt: { kind: 'host', uri: options.libvirtUri },
      stateDirectory: options.stateDirectory ?? directory.path,
      busPath: '/nowhere/bus',
      logger,
    },
    stack,
    stop.signal,
  );
  const part = createPart(context);
  const running = [context.informers.run(stop.signal), board.run(stop.signal)];
  const ended = part.run(stop.signal);
  ended.catch(() => undefined);
  stack.defer(async () => {
    stop.abort();
    await ended;
    await Promise.all(running);
  });
  const owned = stack.move();
  return { context, log, ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
