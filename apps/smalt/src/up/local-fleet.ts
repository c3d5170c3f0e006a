import { randomBytes } from 'node:crypto';
import { mkdir, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mirrorImages } from '@smalt/image-store';
import type { JsonObject, JsonValue } from '@smalt/json';
import { openSession } from '@smalt/libvirt';
import { canConnect } from '@smalt/libvirt-daemon';
import {
  LocalHost,
  openLocalNetwork,
  removeCgroups,
  removeLocalNetwork,
  startPowerController,
  type LocalNetwork,
} from '@smalt/local-hosts';
import { messageOf } from '@smalt/service-runtime';
import { makeSelfSigned } from '@smalt/x509';

import { hostLibvirtDirectory, hostPlaces } from '../host/host-agents-config.ts';
import type { HostAgents } from '../host/start-host-agents.ts';
import { ownCommand } from '../own-command.ts';
import { SmaltError } from '../smalt-error.ts';
import { table } from '../table.ts';
import { endGuests } from '../virtual-machines/end-guests.ts';
import { dataPath } from './data-directory.ts';
import type { AgentSurroundings, Fleet, Print } from './fleet.ts';
import type { FollowedHost } from './follow-computes.ts';
import type { HostPowerPlaces } from './high-availability-settings.ts';
import { hostCgroup, hostDirectory, writeHostConfig } from './local-host-files.ts';
import { printEvents } from './print-events.ts';
import { readOrMake } from './read-or-make.ts';
import { openRelay } from './relay.ts';
import { untilBooted } from './until-booted.ts';

const API_PORT = 6_443;
const HA_PORT = 8_443;
const POWER_USER = 'smalt';
const CERTIFICATE_DAYS = 3_650;

export interface LocalFleetOptions {
  readonly dataDirectory: string;
  readonly count: number;
  /** Whether Nova is the master of their libvirts, and no virt-handler. */
  readonly hasOpenStack: boolean;
  readonly print: Print;
  readonly now: () => Date;
  /** Fires at Ctrl-C. */
  readonly stop: AbortSignal;
}

interface FleetParts {
  readonly network: LocalNetwork;
  readonly hosts: readonly LocalHost[];
  readonly power: HostPowerPlaces;
  readonly controllers: AsyncDisposable;
}

/** Several hosts on this machine, each with a libvirtd and agents of its own, and a management controller that powers it. */
export class LocalFleet implements Fleet {
  readonly names: readonly string[];
  readonly localHosts: readonly string[];
  readonly localAddresses: readonly string[];
  readonly address: string;
  readonly highAvailabilityPort: number = HA_PORT;
  readonly power: HostPowerPlaces;
  readonly control: Fleet['control'];
  readonly followedHosts: readonly FollowedHost[];
  readonly #options: LocalFleetOptions;
  readonly #parts: FleetParts;
  readonly #booted: PromiseWithResolvers<void> = Promise.withResolvers();

  private constructor(options: LocalFleetOptions, parts: FleetParts) {
    this.#options = options;
    this.#parts = parts;
    this.names = this.localHosts = parts.hosts.map(({ name }) => name);
    this.localAddresses = parts.hosts.map(({ address }) => address);
    this.address = parts.network.address;
    this.power = parts.power;
    this.followedHosts = parts.hosts.map((host) => followedHost(host, this.#socketOf(host)));
    this.control = {
      hosts: () => this.#list(),
      'power-off': (request) => this.#press(request, (host) => host.powerOff()),
      'power-on': (request) => this.#press(request, (host) => host.powerOn()),
      cut: (request) => this.#press(request, (host) => host.cut()),
      heal: (request) => this.#press(request, (host) => host.heal()),
    };
  }

  /** Finds the hosts of a data directory again, or gets them ready; they boot when they are told what to run. */
  static async open(options: LocalFleetOptions): Promise<LocalFleet> {
    const { dataDirectory, count } = options;
    const directory = dataPath(dataDirectory, 'hosts');
    for (const name of ['ownOfHost', 'shared', 'images'] as const) {
      await mkdir(dataPath(dataDirectory, name), { recursive: true, mode: name === 'images' ? 0o755 : 0o711 });
    }
    const network = await openLocalNetwork({ directory, ports: [API_PORT, HA_PORT] });
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const hosts = await Promise.all(numbers.map((number) => openHost(dataDirectory, network, number)));
    await writeHostsFile(directory, hosts);
    return new LocalFleet(options, { network, hosts, ...(await startControllers(directory, hosts, options)) });
  }

  async shareImages(): Promise<void> {
    const { dataDirectory } = this.#options;
    const copies = this.names.map((name) => hostPlaces(join(hostDirectory(dataDirectory, name), 'own')).images);
    await Promise.all(copies.map((copy) => mirrorImages(dataPath(dataDirectory, 'images'), copy)));
  }

  async startAgents(around: AgentSurroundings, signal: AbortSignal): Promise<HostAgents> {
    const { hosts, network } = this.#parts;
    const { dataDirectory, hasOpenStack } = this.#options;
    await this.shareImages();
    await using stack = new AsyncDisposableStack();
    const listen = { host: network.address, port: API_PORT };
    stack.use(await openRelay({ listen, port: around.server.port }));
    const apiUrl = `https://${network.address}:${API_PORT}`;
    const place = { dataDirectory, network, apiUrl, hasMachines: !hasOpenStack };
    await Promise.all(
      hosts.map(async (host) => {
        await writeHostConfig({ ...place, host }, around, signal);
        // The agents of a host that ran on may be those of another version.
        if (await host.isOn()) await host.restart();
        // What was switched off stays off, whoever did it: its machines may run elsewhere by now.
        else if (!(await host.isSwitchedOff())) await host.powerOn();
      }),
    );
    await untilBooted(around.client, hosts, signal);
    this.#booted.resolve();
    const owned = stack.move();
    return { ended: untilAborted(signal), [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  /** Images that are imported meanwhile are for all hosts. */
  async keep(print: Print, signal: AbortSignal): Promise<void> {
    const names = join(dataPath(this.#options.dataDirectory, 'images'), 'names');
    try {
      for await (const _change of watch(names, { signal })) await this.shareImages();
    } catch (error) {
      if (!signal.aborted) print(`hosts have no new images from now on: ${messageOf(error)}`);
    }
    await untilAborted(signal);
  }

  async facts(): Promise<string> {
    await this.#booted.promise;
    const rows = await Promise.all(
      this.#parts.hosts.map(async (host) => [host.name, host.address, await powerText(host)]),
    );
    return table([['HOST', 'ADDRESS', 'POWER'], ...rows]);
  }

  async tellEvents(print: Print, now: () => Date, signal: AbortSignal): Promise<void> {
    const tell = async (host: LocalHost): Promise<void> => {
      await using session = openSession(this.#uriOf(host));
      await printEvents({ session, now, print: (line) => print(`${host.name}  ${line}`) }, signal);
    };
    await Promise.all(this.#parts.hosts.map(tell));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { hosts, controllers } = this.#parts;
    const { stop, print } = this.#options;
    await controllers[Symbol.asyncDispose]();
    if (stop.aborted) await Promise.all(hosts.map((host) => this.#end(host, print)));
  }

  /** Removes what the machine has of them, beside their files. They have to be off. */
  async remove(): Promise<void> {
    await removeCgroups(`/${this.#parts.network.bridge}`);
    await removeLocalNetwork(dataPath(this.#options.dataDirectory, 'hosts'));
  }

  async #end(host: LocalHost, print: Print): Promise<void> {
    try {
      if (await host.isOn()) await endGuests(this.#uriOf(host), { print: (line) => print(`${host.name}: ${line}`) });
    } catch (error) {
      print(`${host.name}: its guests lose their power, because libvirt does not answer: ${messageOf(error)}`);
    }
    await host.stop();
  }

  #socketOf(host: LocalHost): string {
    const own = join(hostDirectory(this.#options.dataDirectory, host.name), 'own');
    return join(hostLibvirtDirectory(own), 'run/libvirt-sock');
  }

  #uriOf(host: LocalHost): string {
    return libvirtUri(this.#socketOf(host));
  }

  async #list(): Promise<JsonValue> {
    return await Promise.all(
      this.#parts.hosts.map(async (host) => ({
        name: host.name,
        address: host.address,
        power: (await host.isOn()) ? 'on' : 'off',
        network: (await host.isCut()) ? 'cut' : 'up',
        controller: this.power.urls[host.name] ?? '',
      })),
    );
  }

  async #press({ host: name }: JsonObject, deed: (host: LocalHost) => Promise<void>): Promise<JsonValue> {
    const host = this.#parts.hosts.find((each) => each.name === name);
    if (host === undefined) {
      throw new SmaltError('not-found', `there is no host ${JSON.stringify(name)}: there are ${this.names.join(', ')}`);
    }
    await deed(host);
    return { name: host.name, power: (await host.isOn()) ? 'on' : 'off' };
  }
}

function libvirtUri(socket: string): string {
  return `qemu+unix:///system?socket=${encodeURIComponent(socket)}`;
}

function followedHost(host: LocalHost, socket: string): FollowedHost {
  return {
    name: host.name,
    address: host.address,
    uri: libvirtUri(socket),
    reachableBoot: async () => ((await host.isOn()) && !(await host.isCut()) ? await host.bootId() : undefined),
    isServing: () => canConnect(socket),
  };
}

async function openHost(dataDirectory: string, network: LocalNetwork, number: number): Promise<LocalHost> {
  const name = `hv${number}`;
  const directory = hostDirectory(dataDirectory, name);
  await mkdir(join(directory, 'own'), { recursive: true, mode: 0o711 });
  const { words, environment } = ownCommand();
  return new LocalHost({
    name,
    number,
    network,
    directory,
    bindMounts: [
      { source: join(directory, 'own'), target: dataPath(dataDirectory, 'ownOfHost') },
      { source: join(dataPath(dataDirectory, 'hosts'), 'etc-hosts'), target: '/etc/hosts' },
    ],
    command: [...words, 'host-agents', '--config', join(directory, 'agents.json')],
    environment,
    cgroupRoot: hostCgroup(network, name),
  });
}

async function writeHostsFile(directory: string, hosts: readonly LocalHost[]): Promise<void> {
  const lines = hosts.map(({ name, address }) => `${address} ${name}\n`);
  await writeFile(join(directory, 'etc-hosts'), `127.0.0.1 localhost\n${lines.join('')}`);
}

async function startControllers(
  directory: string,
  hosts: readonly LocalHost[],
  { print, now }: LocalFleetOptions,
): Promise<Pick<FleetParts, 'power' | 'controllers'>> {
  await using stack = new AsyncDisposableStack();
  const password = await readOrMake(join(directory, 'bmc-password'), () => randomBytes(18).toString('base64url'));
  const names = ['127.0.0.1'];
  const own = makeSelfSigned({ commonName: 'smalt-bmc', names, now: now(), days: CERTIFICATE_DAYS });
  const authorityFile = join(directory, 'bmc.crt');
  await writeFile(authorityFile, own.certificate);
  const urls: Record<string, string> = {};
  for (const host of hosts) {
    const onFailure = (error: unknown): void => print(`the power of ${host.name}: ${messageOf(error)}`);
    const place = { host: '127.0.0.1', user: POWER_USER, password, ...own };
    const controller = await startPowerController({ ...place, name: host.name, powerSwitch: host, onFailure });
    urls[host.name] = stack.use(controller).url;
  }
  const passwordFile = join(directory, 'bmc-password');
  const power = { user: POWER_USER, passwordFile, authorityFile, urls };
  return { power, controllers: stack.move() };
}

async function powerText(host: LocalHost): Promise<string> {
  if (await host.isOn()) return 'on';
  return (await host.isSwitchedOff()) ? `switched off: npx smalt host power-on ${host.name}` : 'off';
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
