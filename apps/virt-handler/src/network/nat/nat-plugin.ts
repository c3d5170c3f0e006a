import type { Clock } from '@smalt/controller-runtime';
import type { DomainNetwork } from '@smalt/domain-xml';
import { isProcessRunning, type SandboxProcess } from '@smalt/pod-sandbox';
import type { Logger } from '@smalt/service-runtime';
import { canonicalMac } from '@smalt/vm-api';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { HostCommands } from '../host-commands.ts';
import { describeInterface, digestOf } from '../interface-identity.ts';
import type { NetworkPlugin, NetworkRequest } from '../network-plugin.ts';
import type { NatSettings } from '../network-settings.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { checkInterfaceName } from '../parse-attachment.ts';
import type { InterfaceRecord } from '../register/interface-record.ts';
import { dhcpOptionSet } from './dhcp-options.ts';
import { Dnsmasq } from './dnsmasq.ts';
import { parseIpv4, parseIpv4Range, type Ipv4Range } from './ipv4-range.ts';
import { admitted, deviceOf, dismissed, guardRules, noGuardRules } from './guard-rules.ts';
import { closed, natRules, noNatRules, opened } from './nat-rules.ts';
import { GATEWAY_MAC, parseLinks, planBridge, type NatPlace } from './plan-bridge.ts';

const IP = { name: 'ip', debianPackage: 'iproute2' } as const;
const NFT = { name: 'nft', debianPackage: 'nftables' } as const;
const CAT = { name: 'cat', debianPackage: 'coreutils' } as const;
const TEE = { name: 'tee', debianPackage: 'coreutils' } as const;
const FORWARDING = '/proc/sys/net/ipv4/ip_forward';
/** How long a dnsmasq that died may go unseen. */
const LOOK_MS = 1_000;
/** How long rules that somebody flushed may be missing. */
const REPAIR_MS = 30_000;

export interface NatPluginOptions {
  readonly settings: NatSettings;
  readonly directory: string;
  readonly commands: HostCommands;
  readonly clock: Clock;
  readonly logger: Logger;
  /** All interfaces of this network that are in use. */
  readonly inUse: () => Promise<readonly InterfaceRecord[]>;
}

/** A network of the node's own, behind its addresses: a bridge, rules of nftables, and dnsmasq. Needs nobody's help. */
export class NatPlugin implements NetworkPlugin {
  readonly name = 'nat';
  readonly range: Ipv4Range;
  readonly #options: NatPluginOptions;
  readonly #place: NatPlace;
  readonly #dnsmasq: Dnsmasq;
  readonly #turn = oneAtATime();
  #running: SandboxProcess | undefined;

  constructor(options: NatPluginOptions) {
    const { settings } = options;
    checkInterfaceName(settings.bridge, 'network.bridge');
    checkNameServers(settings.nameServers);
    this.range = parseIpv4Range(settings.range, 'network.range');
    this.#options = options;
    this.#place = { bridge: settings.bridge, range: this.range };
    this.#dnsmasq = new Dnsmasq({ ...options, ...this.#place, nameServers: settings.nameServers });
  }

  async connect(request: NetworkRequest, signal: AbortSignal): Promise<DomainNetwork> {
    const { record, instance, network, field } = request;
    const { mac, address } = record;
    if (mac === GATEWAY_MAC) {
      const message = `${mac} is the MAC address of the gateway of that network; give the interface another one`;
      throw new VirtHandlerError('network-conflict', message, { field });
    }
    if (address === undefined) throw new VirtHandlerError('network-failed', `${field} got no address`, { field });
    const name = instance.spec.hostname ?? record.instance;
    const options = dhcpOptionSet(request.interface.dhcpOptions, `${request.interfaceField}.dhcpOptions`);
    await this.#turn(async () => {
      await this.#ensure(signal, false);
      const { bridge } = this.#place;
      const rules = this.#change(`${admitted(bridge, [record])}${opened(bridge, [record])}`, signal);
      // A guest waits for both: meanwhile nft runs. Whatever comes of one, the other has ended before the next turn.
      const giving = this.#dnsmasq.give(fileOf(record), { mac, address, name, options }, signal);
      const [given] = await Promise.allSettled([giving, rules]);
      if (given.status === 'fulfilled') this.#running = given.value;
      await this.#putBackUnless(await rules, signal);
      if (given.status === 'rejected') throw given.reason;
    });
    const { bridge } = this.#place;
    return { kind: 'bridge', name: network.name, bridge, device: deviceOf(bridge, record), mac };
  }

  async disconnect(gone: readonly InterfaceRecord[], signal: AbortSignal): Promise<void> {
    await this.#turn(async () => {
      for (const record of gone) await this.#dnsmasq.take(fileOf(record));
      if ((await this.#dnsmasq.guests()).length === 0) return await this.#idle(signal);
      const { bridge } = this.#place;
      const known = this.#presentable(gone);
      await this.#putBackUnless(
        await this.#change(`${dismissed(bridge, known)}${closed(bridge, known)}`, signal),
        signal,
      );
    });
  }

  async keepRunning(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    let repairedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      const isDue = clock.monotonic() - repairedAt >= REPAIR_MS;
      const isDead = this.#running !== undefined && !(await isProcessRunning(this.#running));
      if (isDead) logger.warn({ step: 'nat' }, 'dnsmasq has died, and is started again');
      if (isDue || isDead) {
        repairedAt = clock.monotonic();
        await this.#repair(signal).catch((error: unknown) => {
          if (!signal.aborted) logger.error({ step: 'nat', error }, 'the network of guests could not be put right');
        });
      }
      await clock.wait(LOOK_MS, signal).catch(() => undefined);
    }
  }

  async #repair(signal: AbortSignal): Promise<void> {
    await this.#turn(async () => {
      if ((await this.#dnsmasq.guests()).length > 0) await this.#ensure(signal, true);
    });
  }

  /** What is ensured once stays so until `keepRunning` looks again: a start of a guest must not cost five programs. */
  async #ensure(signal: AbortSignal, isForced: boolean): Promise<void> {
    if (!isForced && this.#running !== undefined && (await isProcessRunning(this.#running))) return;
    const { commands } = this.#options;
    const links = parseLinks(await commands.run(IP, ['-json', '-details', 'address', 'show'], { signal }));
    const plan = planBridge(links, this.#place);
    if (plan.length > 0) await commands.run(IP, ['-batch', '-'], { input: `${plan.join('\n')}\n`, signal });
    if ((await commands.run(CAT, [FORWARDING], { signal })).trim() !== '1') {
      await commands.run(TEE, [FORWARDING], { input: '1\n', signal });
    }
    await commands.run(NFT, ['-f', '-'], { input: await this.#rules(), signal });
    this.#running = await this.#dnsmasq.ensure(signal);
  }

  async #rules(): Promise<string> {
    const { bridge } = this.#place;
    const isShared = this.#options.settings.isShared === true;
    const records = this.#presentable(await this.#options.inUse());
    const guard = guardRules(bridge, records, isShared);
    return `${natRules(this.#place, records, isShared)}${noGuardRules(bridge)}${guard}`;
  }

  /**
   * Those that nft takes: it takes all it is told or nothing, and one record must not cost the others their network. What
   * else an earlier version left is of guests that never started with it, and is right once they are connected anew.
   */
  #presentable(records: readonly InterfaceRecord[]): readonly InterfaceRecord[] {
    const strange = records.filter(({ mac }) => canonicalMac(mac) !== mac);
    for (const record of strange) {
      const fields = { step: 'nat', interface: describeInterface(record), mac: record.mac };
      this.#options.logger.warn(fields, 'an interface is left out of the rules: nft takes no such MAC address');
    }
    return records.filter((record) => !strange.includes(record));
  }

  /** Changes who may send, and who may be called. Gives why that could not be done; undefined when it was. */
  async #change(input: string, signal: AbortSignal): Promise<Error | undefined> {
    return await this.#options.commands.run(NFT, ['-f', '-'], { input, signal }).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Where somebody took the rules away, all are put back. */
  async #putBackUnless(error: Error | undefined, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (error === undefined) return;
    this.#options.logger.warn({ step: 'nat', error }, 'the rules of the network of guests are gone, and are made anew');
    await this.#ensure(signal, true);
  }

  /** Without guests nothing stays but the bridge. */
  async #idle(signal: AbortSignal): Promise<void> {
    this.#running = undefined;
    await this.#dnsmasq.stop(signal);
    const { bridge } = this.#place;
    const input = `${noNatRules(bridge)}${noGuardRules(bridge)}`;
    await this.#options.commands.run(NFT, ['-f', '-'], { input, signal });
  }
}

/** Names of instances are no names of files. */
function fileOf(record: InterfaceRecord): string {
  return digestOf('file', record).toString('hex', 0, 16);
}

function checkNameServers(nameServers: readonly string[]): void {
  const wrong = nameServers.find((server) => parseIpv4(server) === undefined);
  if (wrong === undefined) return;
  const message = `network.nameServers: ${JSON.stringify(wrong)} is no IPv4 address`;
  throw new VirtHandlerError('bad-setting', message, { field: 'network.nameServers' });
}
