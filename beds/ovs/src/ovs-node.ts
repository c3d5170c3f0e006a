import { join } from 'node:path';

import { addBond, type Bond, type BondOptions } from './add-bond.ts';
import { addCable, type CableOptions } from './add-cable.ts';
import type { Daemon } from './daemon.ts';
import type { DaemonPlace } from './daemon-place.ts';
import { OvsBedError } from './error.ts';
import { joinOvn, type CentralRemotes, type JoinOptions, type OvnController } from './ovn-controller.ts';
import type { NodeNetwork } from './node-network.ts';
import { plugGuest, type Guest, type GuestOptions } from './plug-guest.ts';
import { runOvsProgram } from './run-ovs-program.ts';

/** `dummy` fakes every device and needs nothing of the kernel; `netdev` is the real userspace datapath in a network of its own. */
export type Datapath = 'dummy' | 'netdev';

export type OvsDaemonName = 'ovs-vswitchd' | 'ovsdb-server';

export interface OvsNodeParts {
  readonly name: string;
  readonly datapath: Datapath;
  readonly place: DaemonPlace;
  readonly daemons: Readonly<Record<OvsDaemonName, Daemon>>;
  readonly network: NodeNetwork | undefined;
  readonly owned: AsyncDisposableStack;
}

/** A machine with Open vSwitch of its own: an ovsdb-server and an ovs-vswitchd. It ends with the process that started it. */
export class OvsNode implements AsyncDisposable {
  readonly name: string;
  readonly datapath: Datapath;
  readonly place: DaemonPlace;
  /** Only for `netdev`. */
  readonly network: NodeNetwork | undefined;
  readonly #daemons: Readonly<Record<OvsDaemonName, Daemon>>;
  readonly #owned: AsyncDisposableStack;

  constructor(parts: OvsNodeParts) {
    this.name = parts.name;
    this.datapath = parts.datapath;
    this.place = parts.place;
    this.network = parts.network;
    this.#daemons = parts.daemons;
    this.#owned = parts.owned;
  }

  /** What is `/run/openvswitch` elsewhere. */
  get runDirectory(): string {
    return this.place.runDirectory;
  }

  get databaseSocket(): string {
    return join(this.runDirectory, 'db.sock');
  }

  /** Of the daemons that run. */
  get pids(): Readonly<Record<OvsDaemonName, number | undefined>> {
    return { 'ovs-vswitchd': this.#daemons['ovs-vswitchd'].pid, 'ovsdb-server': this.#daemons['ovsdb-server'].pid };
  }

  /** Runs `ovs-vsctl`, which waits until ovs-vswitchd has done what it says; for ten seconds at most. */
  async vsctl(...parameters: readonly string[]): Promise<string> {
    const common = [`--db=unix:${this.databaseSocket}`, '--timeout=10'];
    return runOvsProgram('ovs-vsctl', [...common, ...parameters], this.place);
  }

  /** Runs a command of a daemon's control socket, such as `appctl('ovs-vswitchd', 'bond/show')`. */
  async appctl(target: string, ...parameters: readonly string[]): Promise<string> {
    return runOvsProgram('ovs-appctl', ['--timeout=10', `--target=${target}`, ...parameters], this.place);
  }

  /** Runs `ovs-ofctl`, such as `ofctl('add-flow', 'br-int', 'actions=drop')`. */
  async ofctl(...parameters: readonly string[]): Promise<string> {
    return runOvsProgram('ovs-ofctl', ['--timeout=30', ...parameters], this.place);
  }

  /** Replaces nothing, adds many flows in one go: each of them a line as `add-flow` takes it. */
  async addFlows(bridge: string, flows: readonly string[]): Promise<void> {
    const input = `${flows.join('\n')}\n`;
    await runOvsProgram('ovs-ofctl', ['--bundle', 'add-flows', bridge, '-'], { ...this.place, input });
  }

  /** Sends a signal to a daemon. One that ends it or stops it has done so when this resolves. */
  async kill(daemon: OvsDaemonName, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#daemons[daemon].kill(signal);
  }

  /** Starts a daemon that was killed. */
  async start(daemon: OvsDaemonName): Promise<void> {
    await this.#daemons[daemon].start();
  }

  /** Ends a daemon in good order, if it runs, and starts it. */
  async restart(daemon: OvsDaemonName): Promise<void> {
    await this.#daemons[daemon].restart();
  }

  /** Takes a device up or down as an operator would. */
  async setLink(device: string, state: 'up' | 'down'): Promise<void> {
    if (this.network) await this.network.configure(`link set ${device} ${state}`);
    else await this.appctl('ovs-vswitchd', 'netdev-dummy/set-admin-state', device, state);
  }

  /** Makes two devices that are the ends of one cable, and takes both up. Needs the datapath `netdev`. */
  async addVeth(device: string, peer: string): Promise<void> {
    await this.requireNetwork('addVeth').configure(
      `link add ${device} type veth peer name ${peer}`,
      `link set ${device} up`,
      `link set ${peer} up`,
    );
  }

  /** Makes two devices that are the ends of a cable of some speed, such as 25000. Needs the datapath `netdev`. */
  async addCable(options: CableOptions): Promise<void> {
    this.use(await addCable(this.requireNetwork('addCable').pid, options));
  }

  /** Joins links to one bond, with a partner at the other end that really talks LACP. */
  async addBond(options: BondOptions = {}): Promise<Bond> {
    return addBond(this, options);
  }

  /** Plugs something into a bridge as a virtual machine is. */
  async plugGuest(options: GuestOptions): Promise<Guest> {
    return plugGuest(this, options);
  }

  /** Makes the node a chassis of OVN and starts its ovn-controller. */
  async joinOvn(central: CentralRemotes, options: JoinOptions = {}): Promise<OvnController> {
    return joinOvn(this, central, options);
  }

  /** Ends something else together with the node. */
  use<T extends AsyncDisposable>(resource: T): T {
    return this.#owned.use(resource);
  }

  /** The node's network, or an error that says who needs it. */
  requireNetwork(who: string): NodeNetwork {
    if (this.network) return this.network;
    throw new OvsBedError('invalid-option', `datapath: ${who} needs devices of the kernel: start the node with netdev`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}
