import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { openBedDirectory } from '@smalt/bed-libvirt';

import { Daemon } from './daemon.ts';
import { makeDaemonPlace, type DaemonPlace } from './daemon-place.ts';
import { OvsBedError } from './error.ts';
import type { CentralRemotes } from './ovn-controller.ts';
import { runOvsProgram } from './run-ovs-program.ts';

const START_MS = 15_000;
const POLL_MS = 5;

export type CentralDaemonName = 'ovnnb_db' | 'ovnsb_db' | 'ovn-northd';

/** The databases of OVN and its northd, for any number of nodes. It ends with the process that started it. */
export interface OvnCentral extends AsyncDisposable, CentralRemotes {
  /** The southbound database on a port of loopback, that stays the same over restarts. */
  readonly remote: string;
  /** The southbound database on a socket, which nodes in networks of their own reach too. */
  readonly unixRemote: string;
  readonly runDirectory: string;
  readonly pids: Readonly<Record<CentralDaemonName, number | undefined>>;
  nbctl(...parameters: readonly string[]): Promise<string>;
  sbctl(...parameters: readonly string[]): Promise<string>;
  /** Waits until every chassis that lives has done what the northbound database says. */
  settled(): Promise<void>;
  kill(daemon: CentralDaemonName, signal?: NodeJS.Signals): Promise<void>;
  start(daemon: CentralDaemonName): Promise<void>;
  restart(daemon: CentralDaemonName): Promise<void>;
}

/** Starts both databases and northd. */
export async function startOvnCentral(): Promise<OvnCentral> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await openBedDirectory());
  const place = await makeDaemonPlace(directory.path);
  const daemons = {
    ovnnb_db: stack.use(await database(place, 'nb', 'OVN_Northbound,NB_Global')),
    ovnsb_db: stack.use(await database(place, 'sb', 'OVN_Southbound,SB_Global')),
    'ovn-northd': stack.use(northd(place)),
  };
  await daemons.ovnnb_db.start();
  await daemons.ovnsb_db.start();
  const central = new RunningCentral(place, daemons);
  await central.nbctl('init');
  await central.sbctl('init');
  await central.listen();
  await daemons['ovn-northd'].start();
  central.owns(stack.move());
  return central;
}

class RunningCentral implements OvnCentral {
  readonly #place: DaemonPlace;
  readonly #daemons: Readonly<Record<CentralDaemonName, Daemon>>;
  #remote = '';
  #owned: AsyncDisposable | undefined;

  constructor(place: DaemonPlace, daemons: Readonly<Record<CentralDaemonName, Daemon>>) {
    this.#place = place;
    this.#daemons = daemons;
  }

  get remote(): string {
    return this.#remote;
  }

  get unixRemote(): string {
    return `unix:${socketOf(this.#place, 'sb')}`;
  }

  get runDirectory(): string {
    return this.#place.runDirectory;
  }

  get pids(): Readonly<Record<CentralDaemonName, number | undefined>> {
    const { ovnnb_db: north, ovnsb_db: south, 'ovn-northd': between } = this.#daemons;
    return { ovnnb_db: north.pid, ovnsb_db: south.pid, 'ovn-northd': between.pid };
  }

  owns(owned: AsyncDisposable): void {
    this.#owned = owned;
  }

  /** Lets the kernel choose a port, and keeps to it. */
  async listen(): Promise<void> {
    await this.sbctl('set-connection', 'ptcp:0:127.0.0.1');
    const port = await this.#boundPort();
    await this.sbctl('set-connection', `ptcp:${port}:127.0.0.1`);
    this.#remote = `tcp:127.0.0.1:${port}`;
  }

  async nbctl(...parameters: readonly string[]): Promise<string> {
    const common = [`--db=unix:${socketOf(this.#place, 'nb')}`, '--timeout=30'];
    return runOvsProgram('ovn-nbctl', [...common, ...parameters], this.#place);
  }

  async sbctl(...parameters: readonly string[]): Promise<string> {
    return runOvsProgram('ovn-sbctl', [`--db=${this.unixRemote}`, '--timeout=10', ...parameters], this.#place);
  }

  async settled(): Promise<void> {
    await this.nbctl('--wait=hv', 'sync');
  }

  async kill(daemon: CentralDaemonName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#daemons[daemon].kill(signal);
  }

  async start(daemon: CentralDaemonName): Promise<void> {
    await this.#daemons[daemon].start();
  }

  async restart(daemon: CentralDaemonName): Promise<void> {
    await this.#daemons[daemon].restart();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned?.[Symbol.asyncDispose]();
  }

  async #boundPort(): Promise<number> {
    const deadline = AbortSignal.timeout(START_MS);
    for (;;) {
      const status = await this.sbctl('--bare', '--columns=status', 'list', 'Connection');
      const port = Number(/bound_port=(\d+)/.exec(status)?.[1]);
      if (port > 0) return port;
      if (deadline.aborted) throw new OvsBedError('start-timeout', `The southbound database has no port: ${status}`);
      await delay(POLL_MS);
    }
  }
}

function socketOf(place: DaemonPlace, which: 'nb' | 'sb'): string {
  return join(place.runDirectory, `ovn${which}_db.sock`);
}

async function database(place: DaemonPlace, which: 'nb' | 'sb', connections: string): Promise<Daemon> {
  const file = join(place.databaseDirectory, `${which}.db`);
  await runOvsProgram('ovsdb-tool', ['create', file, `/usr/share/ovn/ovn-${which}.ovsschema`], place);
  const name = `ovn${which}_db`;
  const controlSocket = join(place.runDirectory, `${name}.ctl`);
  const remotes = [`--remote=punix:${socketOf(place, which)}`, `--remote=db:${connections},connections`];
  const parameters = [file, ...remotes, `--unixctl=${controlSocket}`];
  return new Daemon({
    place,
    name,
    program: 'ovsdb-server',
    debianPackage: 'openvswitch-switch',
    parameters,
    controlSocket,
  });
}

function northd(place: DaemonPlace): Daemon {
  const parameters = [`--ovnnb-db=unix:${socketOf(place, 'nb')}`, `--ovnsb-db=unix:${socketOf(place, 'sb')}`];
  return new Daemon({ place, name: 'ovn-northd', program: 'ovn-northd', debianPackage: 'ovn-central', parameters });
}
