import { join } from 'node:path';

import { Namespace, runProgram } from '@smalt/libvirt-daemon';

import type { NodeNetwork } from './node-network.ts';

const NSENTER = { name: 'nsenter', debianPackage: 'util-linux' } as const;

export interface GuestOptions {
  /** The device on the node, such as `tap1`. */
  readonly device: string;
  /** The port of OVN that it is for, its `iface-id`; without one it is an ordinary port. */
  readonly logicalPort?: string;
  readonly mac?: string;
  /** What the guest has inside, such as `192.168.7.1/24`. Needs the datapath `netdev`. */
  readonly address?: string;
  /** `br-int` by default. */
  readonly bridge?: string;
}

/** Something that is plugged into a bridge as a virtual machine is. */
export interface Guest {
  readonly device: string;
  /** Runs a program in the guest's network, such as `ip`. Needs the datapath `netdev`. */
  run(program: string, ...parameters: readonly string[]): Promise<string>;
  /** Whether packets get to an address and back, within five seconds: a port where nobody listens is refused from there. */
  reaches(address: string): Promise<boolean>;
}

interface GuestOwner {
  readonly network: NodeNetwork | undefined;
  readonly place: { readonly logDirectory: string };
  requireNetwork(who: string): NodeNetwork;
  vsctl(...parameters: readonly string[]): Promise<string>;
  use<T extends AsyncDisposable>(resource: T): T;
}

/** Plugs a guest into a bridge, with a network of its own behind the device where the node has real devices. */
export async function plugGuest(node: GuestOwner, options: GuestOptions): Promise<Guest> {
  const { device, logicalPort, mac, bridge = 'br-int' } = options;
  const inside = node.network ? await openInside(node, node.network, options) : undefined;
  const ids = [
    ...(logicalPort === undefined ? [] : [`external_ids:iface-id=${logicalPort}`]),
    ...(mac === undefined ? [] : [`external_ids:attached-mac="${mac}"`]),
  ];
  const marked = ids.length > 0 ? ['--', 'set', 'interface', device, ...ids] : [];
  await node.vsctl('add-port', bridge, device, ...marked);
  const run = async (program: string, ...parameters: readonly string[]): Promise<string> => {
    const pid = inside ?? node.requireNetwork('a program in a guest').pid;
    const output = await runProgram(NSENTER, ['--target', String(pid), '--net', program, ...parameters]);
    return output.toString();
  };
  return { device, run, reaches: async (address) => (await run(...knock(address))).includes('Connection refused') };
}

// The address is an argument and never becomes code.
function knock(address: string): readonly [string, ...string[]] {
  return ['timeout', '5', 'bash', '--norc', '-c', 'exec 2>&1; : <>"/dev/tcp/$1/9"; true', 'knock', address];
}

async function openInside(node: GuestOwner, network: NodeNetwork, options: GuestOptions): Promise<number> {
  const outputFile = join(node.place.logDirectory, `${options.device}.log`);
  const namespace = node.use(await Namespace.open({ command: ['true'], ownNetwork: true, outputFile }));
  const hardware = options.mac === undefined ? '' : `address ${options.mac}`;
  const { device } = options;
  await network.configure(
    `link add ${device} type veth peer name eth0 ${hardware} netns ${namespace.pid}`,
    `link set ${device} up`,
  );
  const commands = ['link set lo up', 'link set eth0 up'];
  if (options.address !== undefined) commands.push(`address add ${options.address} dev eth0`);
  const parameters = ['--target', String(namespace.pid), '--net', 'ip', '-batch', '-'];
  await runProgram(NSENTER, parameters, { input: `${commands.join('\n')}\n` });
  // The userspace datapath passes frames on as they are, and the kernel leaves checksums to hardware that is not there.
  await runProgram(NSENTER, ['--target', String(namespace.pid), '--net', 'ethtool', '-K', 'eth0', 'tx', 'off']);
  return namespace.pid;
}
