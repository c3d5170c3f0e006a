import { join } from 'node:path';
import { styleText } from 'node:util';

import { openSession, type LibvirtSession } from '@smalt/libvirt';
import {
  ensureLoopbackCertificates,
  isPortInUse,
  keepRunning,
  startLibvirtd,
  type Libvirtd,
} from '@smalt/libvirt-daemon';

import type { Logger } from '@smalt/service-runtime';

import { describeFacts } from './describe-facts.ts';
import { eventText } from './event-text.ts';
import { readHostFacts } from './host-facts.ts';
import { reportSwitch } from './report-switch.ts';
import { apiHints, startApi } from './start-api.ts';
import { startAgent } from './start-agent.ts';
import { stateText } from './state-text.ts';
import { table } from './table.ts';

export interface UpOptions {
  /** Where the machine's state lives, and stays. */
  readonly stateDirectory: string;
  /** The port libvirtd listens on, on loopback. Left out: libvirt's own, or a free one where that is taken. */
  readonly port?: number | undefined;
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

const LIBVIRT_TLS_PORT = 16_514;

/** Guests are not root, and libvirt hands each the disks it may open. */
const unprivilegedGuests = { user: 'libvirt-qemu', group: 'kvm', dynamic_ownership: 1 };

/**
 * Runs Smalt on this machine until the signal: the API server with our kinds, a libvirtd on loopback, the agent that
 * reports on both in the API, the host's facts, its domain events, and its Open vSwitch where there is one.
 */
export async function up(options: UpOptions, signal: AbortSignal): Promise<void> {
  const { print } = options;
  const pkiPath = join(options.stateDirectory, 'pki');
  print(`starting the API server in ${options.stateDirectory}`);
  await using api = await startApi({ ...options, port: options.apiPort }, signal);
  apiHints(api).forEach(print);
  print(`starting libvirtd in ${options.stateDirectory}`);
  await ensureLoopbackCertificates(pkiPath, options.now());
  await using daemon = await startDaemon(options, pkiPath, signal);
  const uri = `${daemon.uri}?pkipath=${encodePath(pkiPath)}`;
  // Whatever ends first ends the others: a daemon that is given up, the agent, or the watching.
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  await using agent = await startAgent({ ...options, uri, kubeconfig: api.kubeconfig }, either);
  const tasks = [
    keepRunning(daemon, { onDeath: (delayMs) => print(deathText(delayMs)) }, either),
    watchDomains(uri, options, either),
    agent.ended,
    reportSwitch({ ...options, kubeconfig: api.kubeconfig }, either),
  ].map((task) => task.finally(() => end.abort()));
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
  print('stopping libvirtd and its guests');
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

/** Slashes stay as they are: they mean nothing in a query, and a person can read the path. */
function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function deathText(delayMs: number): string {
  return styleText('yellow', `libvirtd died; starting it again in ${(delayMs / 1000).toFixed(2)} s, its guests run on`);
}

// See docs/decisions/0006-smalt-up-lets-only-root-in.md
async function startDaemon(options: UpOptions, pkiPath: string, signal: AbortSignal): Promise<Libvirtd> {
  const start = (port: number): Promise<Libvirtd> =>
    startLibvirtd({
      directory: join(options.stateDirectory, 'libvirt'),
      tcp: false,
      tls: { directory: pkiPath, port },
      qemu: unprivilegedGuests,
      signal,
    });
  if (options.port !== undefined) return start(options.port);
  try {
    return await start(LIBVIRT_TLS_PORT);
  } catch (error) {
    if (!isPortInUse(error)) throw error;
    options.print(`port ${LIBVIRT_TLS_PORT} is taken, by another libvirtd perhaps; taking a free one`);
    return start(0);
  }
}

async function tellStates(session: LibvirtSession, print: UpOptions['print']): Promise<void> {
  for await (const state of session.states()) {
    const text = stateText(state);
    if (text !== undefined) print(text);
  }
}
