import { join } from 'node:path';

import { openBedDirectory } from '@smalt/bed-libvirt';
import { Namespace, runProgram } from '@smalt/libvirt-daemon';

import { Daemon } from './daemon.ts';
import { makeDaemonPlace, type DaemonPlace } from './daemon-place.ts';
import type { NodeNetwork } from './node-network.ts';
import { OvsNode, type Datapath } from './ovs-node.ts';
import { runOvsProgram } from './run-ovs-program.ts';

const SCHEMA = '/usr/share/openvswitch/vswitch.ovsschema';
const PACKAGE = 'openvswitch-switch';
const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;

export interface OvsNodeOptions {
  readonly datapath: Datapath;
  /** Becomes its system-id; `node1` by default. */
  readonly name?: string;
}

/** Starts an empty Open vSwitch, and resolves once it takes configuration. */
export async function startOvsNode({ datapath, name = 'node1' }: OvsNodeOptions): Promise<OvsNode> {
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(await openBedDirectory());
  const place = await makeDaemonPlace(directory.path);
  const network = datapath === 'netdev' ? await openNetwork(stack, place) : undefined;
  const daemons = {
    'ovsdb-server': stack.use(databaseServer(place)),
    'ovs-vswitchd': stack.use(switchDaemon(place, network)),
  };
  const database = join(place.databaseDirectory, 'conf.db');
  await runOvsProgram('ovsdb-tool', ['create', database, SCHEMA], place);
  await daemons['ovsdb-server'].start();
  const node = new OvsNode({ name, datapath, place, daemons, network, owned: stack.move() });
  try {
    await configure(node);
  } catch (error) {
    await node[Symbol.asyncDispose]();
    throw error;
  }
  return node;
}

/** The version and the system-id are what Debian's start script writes there; the daemons themselves do not. */
async function configure(node: OvsNode): Promise<void> {
  const program = { name: 'ovs-vswitchd', debianPackage: PACKAGE };
  const version = /\(Open vSwitch\) (\S+)/.exec((await runProgram(program, ['--version'])).toString())?.[1] ?? '';
  const about = [`ovs-version=${version}`, 'system-type=debian', `external-ids:system-id=${node.name}`];
  await node.vsctl('--no-wait', 'init', '--', 'set', 'Open_vSwitch', '.', ...about);
  await node.start('ovs-vswitchd');
  await node.vsctl('set', 'Open_vSwitch', '.', `external-ids:hostname=${node.name}`);
}

function databaseServer(place: DaemonPlace): Daemon {
  const remotes = [
    `--remote=punix:${join(place.runDirectory, 'db.sock')}`,
    '--remote=db:Open_vSwitch,Open_vSwitch,manager_options',
  ];
  const parameters = [join(place.databaseDirectory, 'conf.db'), ...remotes];
  return new Daemon({ place, name: 'ovsdb-server', program: 'ovsdb-server', debianPackage: PACKAGE, parameters });
}

function switchDaemon(place: DaemonPlace, network: NodeNetwork | undefined): Daemon {
  const fake = network ? [] : ['--enable-dummy=override'];
  // There may be no kernel module to look for, and there is none in a network of its own.
  const parameters = [`unix:${join(place.runDirectory, 'db.sock')}`, ...fake, '--disable-system'];
  const program = 'ovs-vswitchd';
  // It looks at all its ports whenever a link of its network changes, which others on this machine do all the time.
  const networkOf = network?.pid ?? 'nobody';
  return new Daemon({ place, name: program, program, debianPackage: PACKAGE, parameters, networkOf });
}

async function openNetwork(stack: AsyncDisposableStack, place: DaemonPlace): Promise<NodeNetwork> {
  const outputFile = join(place.logDirectory, 'network.log');
  const namespace = stack.use(await Namespace.open({ command: ['true'], ownNetwork: true, outputFile }));
  const configureLinks = async (...commands: readonly string[]): Promise<void> => {
    const parameters = ['--target', String(namespace.pid), '--net', 'ip', '-batch', '-'];
    await runProgram(NSENTER, parameters, { input: `${commands.join('\n')}\n` });
  };
  await configureLinks('link set lo up');
  return { pid: namespace.pid, sysfs: `/proc/${namespace.pid}/root/sys`, configure: configureLinks };
}
