import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';

import { openSession, type LibvirtSession } from '@smalt/libvirt';
import { keepRunning, openDetachedLibvirtd, type DetachedLibvirtd } from '@smalt/libvirt-daemon';
import type { Logger } from '@smalt/service-runtime';

import { describeFacts } from './describe-facts.ts';
import { eventText } from './event-text.ts';
import { readHostFacts } from './host-facts.ts';
import { nodeName } from './node-name.ts';
import { reportSwitch } from './report-switch.ts';
import { apiHints, startApi } from './start-api.ts';
import { startAgent } from './start-agent.ts';
import { stateText } from './state-text.ts';
import { table } from './table.ts';
import { endGuests, endLaunchers } from './virtual-machines/end-guests.ts';
import { podsDirectoryIn, startMachineLayer } from './virtual-machines/start-machine-layer.ts';

export interface UpOptions {
  /** Where the machine's state lives, and stays. */
  readonly stateDirectory: string;
  /** The port the API server listens on, on loopback. Left out: that of Kubernetes, or a free one where that is taken. */
  readonly apiPort?: number | undefined;
  /** Where Open vSwitch has its sockets. Left out: where it has them as a rule. */
  readonly switchDirectory?: string | undefined;
  /** Settings of the OVS agent, `SMALT_OVS_AGENT_…`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly print: (line: string) => void;
  readonly now: () => Date;
  readonly log: Logger;
}

/** Guests are not root, and libvirt hands each the disks it may open. */
const unprivilegedGuests = { user: 'libvirt-qemu', group: 'kvm', dynamic_ownership: 1 };
/** Guests have to get through to their disks, and need not see what else is there. */
const PASSABLE = 0o711;

/**
 * Runs Smalt on this machine until the signal: the API server with our kinds, a libvirtd, the agent that reports on both in
 * the API, all that runs virtual machines, the host's facts, its domain events, and its Open vSwitch where there is one.
 * The signal ends the guests too. When this process ends in any other way they run on, and the next one finds them again.
 */
export async function up(options: UpOptions, signal: AbortSignal): Promise<void> {
  const { print, stateDirectory } = options;
  await mkdir(stateDirectory, { recursive: true, mode: PASSABLE });
  print(`starting the API server in ${stateDirectory}`);
  await using stack = new AsyncDisposableStack();
  const api = stack.use(await startApi({ ...options, port: options.apiPort }, signal));
  apiHints(api).forEach(print);
  print(`starting libvirtd in ${stateDirectory}`);
  const directory = join(stateDirectory, 'libvirt');
  const daemon = await openDetachedLibvirtd({ directory, qemu: unprivilegedGuests, signal });
  stack.defer(async () => {
    if (signal.aborted) await endMachines(daemon, options);
  });
  // Whatever ends first ends the others: a daemon that is given up, the agent, or the watching.
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  const { uri, socketPath } = daemon;
  const agent = stack.use(await startAgent({ ...options, uri, kubeconfig: api.kubeconfig }, either));
  const libvirt = { socketPath, runDirectory: join(directory, 'run') };
  const name = nodeName(hostname());
  const machines = stack.use(await startMachineLayer({ ...options, server: api, nodeName: name, libvirt }, either));
  const tasks = [
    keepRunning(daemon, { onDeath: (delayMs) => print(deathText(delayMs)) }, either),
    watchDomains(uri, options, either),
    agent.ended,
    machines.ended,
    reportSwitch({ ...options, kubeconfig: api.kubeconfig }, either),
  ].map((task) => task.finally(() => end.abort()));
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
  print('stopping libvirtd and its guests');
}

// See docs/decisions/0006-smalt-up-lets-only-root-in.md
async function endMachines(daemon: DetachedLibvirtd, { stateDirectory, print }: UpOptions): Promise<void> {
  await endGuests(daemon.uri, { print });
  await daemon.stop();
  await endLaunchers(podsDirectoryIn(stateDirectory), AbortSignal.timeout(10_000));
}

async function watchDomains(uri: string, options: UpOptions, signal: AbortSignal): Promise<void> {
  const { print } = options;
  await using session = openSession(uri);
  const told = tellStates(session, print);
  try {
    await using events = await session.domainEvents({ signal });
    print(`libvirtd answers on ${uri}\n`);
    print(table(describeFacts(await readHostFacts(session, signal))));
    print(`\nwatching the events of its domains; Ctrl-C stops libvirtd and its guests`);
    for await (const event of events) print(eventText(event, options.now()));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await session.close();
  await told;
}

function deathText(delayMs: number): string {
  return styleText('yellow', `libvirtd died; starting it again in ${(delayMs / 1000).toFixed(2)} s, its guests run on`);
}

async function tellStates(session: LibvirtSession, print: UpOptions['print']): Promise<void> {
  for await (const state of session.states()) {
    const text = stateText(state);
    if (text !== undefined) print(text);
  }
}
