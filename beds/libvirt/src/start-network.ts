import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Namespace } from '@smalt/libvirt-daemon';
import { addressesInUse, configureLinks, hardwareAddress, waitUntilForwarding } from '@smalt/local-hosts';

import { openBedDirectory } from './bed-directory.ts';
import { BedError } from './error.ts';

const ATTEMPTS = 20;
const MOST_HOSTS = 250;
const OWNER_NUMBER = 254;

/** A host's place in a network. */
export interface NetworkPort {
  readonly address: string;
  /** Takes the link down: whoever is behind it runs on, but nobody hears of it. */
  cut(): Promise<void>;
  heal(): Promise<void>;
}

/**
 * A /24 that bed hosts and this process share, without a way out. The switch lives in a namespace of its own
 * and the rest hangs on it, so that nothing stays when this process is killed.
 */
export interface BedNetwork extends AsyncDisposable {
  /** Such as `198.18.7.0/24`. */
  readonly subnet: string;
  /** This process's address in it. */
  readonly address: string;
  /** Names every host; what hosts see as /etc/hosts. */
  readonly hostsFile: string;
  /** A directory all hosts see under the same path: shared storage. */
  readonly storagePath: string;
  /** Reserves a name and an address for a host. */
  reserve(name?: string): Promise<HostSeat>;
}

/** A name and an address that a host keeps while it crashes and comes back. */
export interface HostSeat {
  readonly name: string;
  readonly address: string;
  /** Gives the network namespace of a process an `eth0` on the switch. */
  plugIn(namespacePid: number): Promise<NetworkPort>;
}

/** Makes a network on addresses that nobody else on this machine uses. */
export async function startNetwork(): Promise<BedNetwork> {
  await using cleanUp = new AsyncDisposableStack();
  const directory = cleanUp.use(await openBedDirectory());
  const wall = cleanUp.use(
    await Namespace.open({ command: ['true'], ownNetwork: true, outputFile: join(directory.path, 'switch.log') }),
  );
  await configureLinks(wall.pid, ['link add switch type bridge forward_delay 0', 'link set switch up']);
  const { prefix, link } = await claimSubnet(wall.pid);
  // It would go with the switch, but only when the kernel gets round to it.
  cleanUp.defer(() => configureLinks(undefined, [`link delete ${link}`]));
  const storagePath = join(directory.path, 'storage');
  const hostsFile = join(directory.path, 'hosts');
  await mkdir(storagePath);
  await writeFile(hostsFile, '127.0.0.1 localhost\n');
  const seats = new Seats({ prefix, hostsFile, switchPid: wall.pid });
  const owned = cleanUp.move();
  return {
    subnet: `${prefix}.0/24`,
    address: `${prefix}.${OWNER_NUMBER}`,
    hostsFile,
    storagePath,
    reserve: (name) => seats.reserve(name),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Two that claim the same subnet at once both see both, and both give way. */
async function claimSubnet(switchPid: number): Promise<{ readonly prefix: string; readonly link: string }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const prefix = randomPrefix();
    if ((await addressesInUse(prefix)) > 0) continue;
    const name = `bed${randomBytes(4).toString('hex')}`;
    await configureLinks(undefined, [
      `link add ${name} type veth peer name owner netns ${switchPid}`,
      `address add ${prefix}.${OWNER_NUMBER}/24 dev ${name}`,
      `link set ${name} up`,
    ]);
    if ((await addressesInUse(prefix)) === 1) {
      await configureLinks(switchPid, ['link set owner master switch up']);
      await waitUntilForwarding(switchPid, 'owner');
      return { prefix, link: name };
    }
    await configureLinks(undefined, [`link delete ${name}`]);
  }
  throw new BedError('no-free-network', `No free /24 found in ${ATTEMPTS} attempts`);
}

/** Of 198.18.0.0/15, which RFC 2544 sets aside for tests: no real network of this machine's owner lies there. */
function randomPrefix(): string {
  return `198.${randomInt(18, 20)}.${randomInt(0, 256)}`;
}

interface SeatsOptions {
  readonly prefix: string;
  readonly hostsFile: string;
  readonly switchPid: number;
}

class Seats {
  readonly #options: SeatsOptions;
  readonly #names = new Map<string, string>();
  #plugged = 0;

  constructor(options: SeatsOptions) {
    this.#options = options;
  }

  async reserve(wish?: string): Promise<HostSeat> {
    const number = this.#names.size + 1;
    const name = wish ?? `hv${number}`;
    if (this.#names.has(name)) throw new BedError('invalid-option', `name: the network has a host ${name} already`);
    if (number > MOST_HOSTS) throw new BedError('no-free-network', `The network is full: ${MOST_HOSTS} hosts`);
    const address = `${this.#options.prefix}.${number}`;
    this.#names.set(name, address);
    const lines = [...this.#names].map(([each, at]) => `${at} ${each}\n`);
    // In place: the hosts that run already have this very file mounted.
    await writeFile(this.#options.hostsFile, `127.0.0.1 localhost\n${lines.join('')}`);
    return { name, address, plugIn: (namespacePid) => this.#plugIn(address, namespacePid) };
  }

  async #plugIn(address: string, namespacePid: number): Promise<NetworkPort> {
    const { switchPid } = this.#options;
    this.#plugged += 1;
    const port = `port${this.#plugged}`;
    await configureLinks(switchPid, [
      `link add ${port} type veth peer name eth0 address ${hardwareAddress(address)} netns ${namespacePid}`,
      `link set ${port} master switch up`,
    ]);
    await configureLinks(namespacePid, ['link set lo up', `address add ${address}/24 dev eth0`, 'link set eth0 up']);
    await waitUntilForwarding(switchPid, port);
    return {
      address,
      cut: () => configureLinks(switchPid, [`link set ${port} down`]),
      heal: async () => {
        await configureLinks(switchPid, [`link set ${port} up`]);
        await waitUntilForwarding(switchPid, port);
      },
    };
  }
}
