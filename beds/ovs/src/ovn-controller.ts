import { Daemon } from './daemon.ts';
import type { DaemonPlace } from './daemon-place.ts';
import type { NodeNetwork } from './node-network.ts';

export interface JoinOptions {
  /** The chassis; the node's name by default. */
  readonly chassis?: string;
  readonly encapIp?: string;
  /** How the controller reaches the southbound database: by `tcp` from a node with datapath `dummy`, else by `unix`. */
  readonly transport?: 'tcp' | 'unix';
  /** After how long without a word the controller asks whether the database is still there; by tcp only. */
  readonly probeMs?: number;
  /** `physnet1:br-provider` by default. */
  readonly bridgeMappings?: string;
}

/** Where a central can be reached. */
export interface CentralRemotes {
  readonly remote: string;
  readonly unixRemote: string;
}

interface ControllerOwner {
  readonly name: string;
  readonly place: DaemonPlace;
  readonly network: NodeNetwork | undefined;
  readonly databaseSocket: string;
  vsctl(...parameters: readonly string[]): Promise<string>;
  use<T extends AsyncDisposable>(resource: T): T;
}

/** The ovn-controller of a node. */
export class OvnController {
  readonly chassis: string;
  readonly #daemon: Daemon;

  constructor(chassis: string, daemon: Daemon) {
    this.chassis = chassis;
    this.#daemon = daemon;
  }

  get pid(): number | undefined {
    return this.#daemon.pid;
  }

  /** Sends a signal: SIGKILL, SIGTERM, SIGSTOP or SIGCONT. One that ends it or stops it has done so when this resolves. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#daemon.kill(signal);
  }

  async start(): Promise<void> {
    await this.#daemon.start();
  }

  async restart(): Promise<void> {
    await this.#daemon.restart();
  }

  /** It stays connected, but changes no flow any more. */
  async pause(): Promise<void> {
    await this.control('debug/pause');
  }

  async resume(): Promise<void> {
    await this.control('debug/resume');
  }

  /** Runs a command of its control socket, such as `connection-status`. */
  async control(command: string, ...parameters: readonly string[]): Promise<string> {
    return this.#daemon.control(command, ...parameters);
  }
}

/** Makes a node a chassis of OVN and starts its ovn-controller, which makes `br-int` if there is none. */
export async function joinOvn(
  node: ControllerOwner,
  central: CentralRemotes,
  options: JoinOptions,
): Promise<OvnController> {
  const { chassis = node.name, encapIp = '127.0.0.1', bridgeMappings = 'physnet1:br-provider' } = options;
  const transport = options.transport ?? (node.network ? 'unix' : 'tcp');
  const ids = {
    'ovn-remote': transport === 'tcp' ? central.remote : central.unixRemote,
    'ovn-encap-type': 'geneve',
    'ovn-encap-ip': encapIp,
    'ovn-bridge-datapath-type': 'netdev',
    'ovn-bridge-mappings': bridgeMappings,
    'system-id': chassis,
    ...(options.probeMs === undefined ? {} : { 'ovn-remote-probe-interval': String(options.probeMs) }),
  };
  const words = Object.entries(ids).map(([key, value]) => `external-ids:${key}="${value}"`);
  await node.vsctl('set', 'Open_vSwitch', '.', ...words);
  const daemon = new Daemon({
    place: node.place,
    name: 'ovn-controller',
    program: 'ovn-controller',
    debianPackage: 'ovn-host',
    parameters: [`unix:${node.databaseSocket}`],
    networkOf: node.network?.pid,
  });
  const controller = new OvnController(chassis, node.use(daemon));
  await controller.start();
  return controller;
}
