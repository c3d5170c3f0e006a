import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';

import { openSession, type LibvirtSession } from '@smalt/libvirt';
import { keepRunning, openDetachedLibvirtd, type DetachedLibvirtd } from '@smalt/libvirt-daemon';
import { keepCapabilities, lendCapabilities } from '@smalt/local-hosts';

import { startHostAgents, type HostAgents } from '../host/start-host-agents.ts';
import { nodeName } from '../node-name.ts';
import { table } from '../table.ts';
import { endAddressServer } from '../virtual-machines/end-address-server.ts';
import { endGuests, endLaunchers } from '../virtual-machines/end-guests.ts';
import { SYSTEM_NAMESPACE, type Account } from '../virtual-machines/machine-accounts.ts';
import { AgentsLog } from './agents-log.ts';
import { dataPath } from './data-directory.ts';
import { describeFacts } from './describe-facts.ts';
import type { AgentSurroundings, Fleet, Print } from './fleet.ts';
import { HA_AUDIENCE } from './high-availability-settings.ts';
import { readHostFacts } from './host-facts.ts';
import { printEvents } from './print-events.ts';
import { NODE_AGENT_ACCOUNT } from './start-high-availability.ts';
import { stateText } from './state-text.ts';

/** Guests are not root, and libvirt hands each the disks it may open. */
const unprivilegedGuests = { user: 'libvirt-qemu', group: 'kvm', dynamic_ownership: 1 };
const LAUNCHERS_MS = 10_000;

export interface ThisHostOptions {
  readonly dataDirectory: string;
  readonly print: Print;
  readonly reservedProcessors?: readonly number[] | undefined;
  /** Fires at Ctrl-C. */
  readonly stop: AbortSignal;
}

/** This machine as the only host. Its libvirtd and guests belong to nobody, and are ended by Ctrl-C alone. */
export class ThisHost implements Fleet {
  readonly names: readonly [string] = [nodeName(hostname())];
  readonly localHosts: readonly string[] = [];
  readonly localAddresses: readonly string[] = [];
  readonly address = '127.0.0.1';
  readonly highAvailabilityPort = 0;
  readonly power: undefined;
  readonly followedHosts: readonly [] = [];
  readonly control: Fleet['control'] = { hosts: () => Promise.resolve([]) };
  readonly #options: ThisHostOptions;
  readonly #daemon: DetachedLibvirtd;

  private constructor(options: ThisHostOptions, daemon: DetachedLibvirtd) {
    this.#options = options;
    this.#daemon = daemon;
  }

  /** Adopts the libvirtd of a data directory, with all its guests, or starts one. */
  static async open(options: ThisHostOptions, signal: AbortSignal): Promise<ThisHost> {
    const directory = dataPath(options.dataDirectory, 'libvirt');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await lendCapabilities(directory);
    return new ThisHost(options, await openDetachedLibvirtd({ directory, qemu: unprivilegedGuests, signal }));
  }

  /** They are its own. */
  async shareImages(): Promise<void> {}

  /** The agents of this machine are in this process. */
  async startAgents(around: AgentSurroundings, signal: AbortSignal): Promise<HostAgents> {
    const { accounts, highAvailability, log } = around;
    const [name] = this.names;
    const own = (account: Account) => accounts.join(account, signal);
    const agent = { name: NODE_AGENT_ACCOUNT, nodeName: name };
    const tokenFile = await accounts.tokenFile({ ...agent, audience: HA_AUDIENCE }, signal);
    const { url, authorityFile, reportFile } = highAvailability;
    await using stack = new AsyncDisposableStack();
    const written = stack.use(await AgentsLog.open(dataPath(this.#options.dataDirectory, 'logs'), log));
    const agents = await startHostAgents(
      {
        nodeName: name,
        namespace: SYSTEM_NAMESPACE,
        identities: {
          nodeAgent: await own(agent),
          podRunner: await own({ name: 'smalt-pod-runner' }),
          virtHandler: await own({ name: 'smalt-virt-handler', nodeName: name }),
        },
        places: this.#places(),
        libvirt: this.#libvirt(),
        reservedProcessors: this.#options.reservedProcessors,
        highAvailability: { service: { url, authorityFile, identity: { kind: 'token', tokenFile } }, reportFile },
        logFile: written.path,
        log: written.logger,
      },
      signal,
    );
    stack.use(agents);
    const owned = stack.move();
    return { ended: agents.ended, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  async keep(print: Print, signal: AbortSignal): Promise<void> {
    await keepRunning(this.#daemon, { onDeath: (delayMs) => print(deathText(delayMs)) }, signal);
  }

  async facts(signal: AbortSignal): Promise<string> {
    await using session = openSession(this.#daemon.uri);
    return table(describeFacts(await readHostFacts(session, signal)));
  }

  async tellEvents(print: Print, now: () => Date, signal: AbortSignal): Promise<void> {
    await using session = openSession(this.#daemon.uri);
    const told = tellStates(session, print);
    const onWatching = (): void => print(`watching the events of the domains of ${this.#daemon.uri}`);
    await printEvents({ session, print, now, onWatching }, signal);
    await session.close();
    await told;
  }

  // See docs/decisions/0006-smalt-up-lets-only-root-in.md
  async [Symbol.asyncDispose](): Promise<void> {
    const { dataDirectory, print, stop } = this.#options;
    if (!stop.aborted) return;
    await endGuests(this.#daemon.uri, { print });
    await this.#daemon.stop();
    await keepCapabilities(dataPath(dataDirectory, 'libvirt'));
    const patience = AbortSignal.timeout(LAUNCHERS_MS);
    await endLaunchers(dataPath(dataDirectory, 'pods'), patience);
    await endAddressServer(dataPath(dataDirectory, 'virtHandler'), patience);
  }

  #libvirt(): { readonly uri: string; readonly socketPath: string; readonly runDirectory: string } {
    const { uri, socketPath } = this.#daemon;
    return { uri, socketPath, runDirectory: join(dataPath(this.#options.dataDirectory, 'libvirt'), 'run') };
  }

  #places(): Parameters<typeof startHostAgents>[0]['places'] {
    const at = (name: Parameters<typeof dataPath>[1]): string => dataPath(this.#options.dataDirectory, name);
    return {
      nodeAgent: at('nodeAgent'),
      pki: at('pki'),
      pods: at('pods'),
      images: at('images'),
      volumes: at('volumes'),
      virtHandler: at('virtHandler'),
    };
  }
}

function deathText(delayMs: number): string {
  return styleText('yellow', `libvirtd died; starting it again in ${(delayMs / 1000).toFixed(2)} s, its guests run on`);
}

async function tellStates(session: LibvirtSession, print: Print): Promise<void> {
  for await (const state of session.states()) {
    const text = stateText(state);
    if (text !== undefined) print(text);
  }
}
