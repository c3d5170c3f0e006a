import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { ServerProcess } from '@smalt/bed-kubernetes';
import { hypervisorKind } from '@smalt/fleet-api';

import type { AgentSource } from './agent-sources.ts';
import type { AgentWorld } from './agent-world.ts';
import { untilQuiet } from './until-quiet.ts';

const START_TIMEOUT_MS = 120_000;

/** An agent at work on the host, whose Hypervisor shows all domains. It and its Hypervisor go when disposed of. */
export interface RunningAgent extends AsyncDisposable {
  readonly pid: number;
  readonly nodeName: string;
  /** From the start of the process until the Hypervisor showed all domains. */
  readonly startMs: number;
}

export interface RunAgentOptions {
  readonly source: AgentSource;
  /** The socket of the daemon, or of a proxy. */
  readonly socketPath: string;
  /** How many domains the Hypervisor must show. */
  readonly domains: number;
}

/** Starts an agent and waits until it has told all it knows and has come to rest. */
export async function runAgent(
  world: AgentWorld,
  { source, socketPath, domains }: RunAgentOptions,
  signal: AbortSignal,
): Promise<RunningAgent> {
  await using owner = new AsyncDisposableStack();
  const nodeName = world.host.name;
  const hypervisors = world.client.resource(hypervisorKind);
  await hypervisors.apply(nodeName, { spec: { evacuateOnReboot: false, installCertificate: false } }, { signal });
  owner.defer(() => hypervisors.delete(nodeName));
  const stateDirectory = join(world.folder, source.name);
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  const place = { nodeName, socketPath, stateDirectory, kubeconfig: world.api.kubeconfig, busPath: world.busPath };
  const startedAt = performance.now();
  const agent = owner.use(
    ServerProcess.start(source.name, source.command(place), join(world.folder, `${source.name}.log`)),
  );
  let seenAt: number | undefined;
  const seen = world.watch
    .until(nodeName, ({ status }) => status?.numInstances === domains, signal)
    .then((at) => (seenAt = at));
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  await Promise.race([seen, agent.whenReady(async () => seenAt !== undefined, deadline)]);
  const startMs = (await seen) - startedAt;
  await untilQuiet(() => world.watch.quietMs, signal);
  const owned = owner.move();
  return { pid: agent.pid, nodeName, startMs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
