import { hypervisorOf } from '@smalt/hypervisors';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { Logger } from '@smalt/service-runtime';
import { canonicalMac, WellKnownName, type VirtualMachineInstance } from '@smalt/vm-api';

import { VirtHandlerError } from '../virt-handler-error.ts';
import { chooseAttachment, type WiredInterface } from './choose-attachment.ts';
import { describeInterface, macOf, type InterfaceIdentity } from './interface-identity.ts';
import type { ConnectedNetwork, NetworkPlugin, NetworkRequest, NodeNetworks } from './network-plugin.ts';
import type { NetworkSettings } from './network-settings.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { openPortsOf } from './open-ports.ts';
import type { Attachment } from './parse-attachment.ts';
import type { InterfaceRegister } from './register/interface-register.ts';
import type { InterfaceRecord } from './register/interface-record.ts';
import { heldAddress, wiredInterfaces } from './wired-interfaces.ts';

export interface ConnectedInstancesOptions {
  readonly settings: NetworkSettings;
  readonly register: () => Promise<InterfaceRegister>;
  readonly plugins: Readonly<Record<Attachment['plugin'], NetworkPlugin>>;
  readonly logger: Logger;
}

/** Gives every interface what it has for good, and hands it to the plugin that its network leads to. */
export class ConnectedInstances implements NodeNetworks {
  readonly #options: ConnectedInstancesOptions;
  readonly #turn = oneAtATime();

  constructor(options: ConnectedInstancesOptions) {
    this.#options = options;
  }

  async connect(
    instance: VirtualMachineInstance,
    signal: AbortSignal,
    sandbox?: PodSandbox,
  ): Promise<readonly ConnectedNetwork[]> {
    const networks: ConnectedNetwork[] = [];
    const whose = { instance, sandbox };
    const identified = wiredInterfaces(instance).map((wired) => identify(instance, wired));
    for (const each of identified) networks.push(await this.#connect(whose, each, signal));
    return networks;
  }

  async disconnect({ metadata: { uid } }: VirtualMachineInstance, signal: AbortSignal): Promise<void> {
    await this.#takeBack((record) => record.uid === uid, signal);
  }

  async sweep(present: readonly VirtualMachineInstance[], signal: AbortSignal): Promise<void> {
    const uids = new Set(present.map(({ metadata }) => metadata.uid));
    await this.#takeBack((record) => !uids.has(record.uid), signal);
  }

  async givenAddress(instance: VirtualMachineInstance): Promise<string | undefined> {
    const { uid } = instance.metadata;
    const given = (await this.#options.register()).inUse().filter((record) => record.uid === uid);
    return wiredInterfaces(instance)
      .map(({ network }) => given.find((record) => record.network === network.name)?.address)
      .find((address) => address !== undefined);
  }

  async keepRunning(signal: AbortSignal): Promise<void> {
    await Promise.all(Object.values(this.#options.plugins).map(async (plugin) => plugin.keepRunning?.(signal)));
  }

  async #connect(
    { instance, sandbox }: Pick<NetworkRequest, 'instance' | 'sandbox'>,
    { wired, identity, mac }: IdentifiedInterface,
    signal: AbortSignal,
  ): Promise<ConnectedNetwork> {
    const { settings, plugins } = this.#options;
    const { name } = wired.network;
    // Nobody is behind the cards of a mock, and thousands of them are on one machine.
    if (hypervisorOf(instance).domainType === 'test') {
      return { domain: { kind: 'bridge', name, bridge: settings.nat.bridge, mac }, addresses: [] };
    }
    const attachment = chooseAttachment(settings, identity.namespace, wired);
    const plugin = plugins[attachment.plugin];
    const record = await this.#claim({ instance, identity, mac, wired, plugin });
    const { bridge, vlan, resource } = attachment;
    const domain = await plugin.connect(
      { instance, sandbox, ...wired, record, bridge, vlan, resource, field: wired.networkField },
      signal,
    );
    const { address } = record;
    return { domain, addresses: address === undefined ? [] : [address] };
  }

  async #claim(asked: AskedInterface): Promise<InterfaceRecord> {
    const { instance, identity, mac, wired, plugin } = asked;
    const ports = openPortsOf(wired.interface);
    const claim = { identity, uid: instance.metadata.uid ?? '', mac, ports, plugin: plugin.name, range: plugin.range };
    const held = plugin.range ? heldAddress(instance, identity.network) : undefined;
    const plan = await this.#turn(async () => (await this.#options.register()).claim({ ...claim, heldAddress: held }));
    if (plan.kind !== 'refused') return plan.record;
    if (plan.holder) {
      const [asking, holder] = [describeInterface(identity), describeInterface(plan.holder)];
      this.#options.logger.warn({ step: 'network', asking, holder, at: plan.at }, 'two guests ask for one address');
    }
    const field = plan.at === 'mac' ? `${wired.interfaceField}.macAddress` : wired.networkField;
    throw new VirtHandlerError('network-conflict', `${field}: ${plan.why}`, { field });
  }

  /** The plugin gives up first: an interface that is still connected somewhere must not be free for others. */
  async #takeBack(isGone: (record: InterfaceRecord) => boolean, signal: AbortSignal): Promise<void> {
    await this.#turn(async () => {
      const register = await this.#options.register();
      const gone = register.inUse().filter(isGone);
      for (const plugin of Object.values(this.#options.plugins)) {
        const theirs = gone.filter((record) => record.plugin === plugin.name);
        if (theirs.length > 0) await plugin.disconnect?.(theirs, signal);
      }
      await register.release(gone);
    });
  }
}

interface IdentifiedInterface {
  readonly wired: WiredInterface;
  readonly identity: InterfaceIdentity;
  readonly mac: string;
}

interface AskedInterface extends IdentifiedInterface {
  readonly instance: VirtualMachineInstance;
  readonly plugin: NetworkPlugin;
}

function identify({ metadata }: VirtualMachineInstance, wired: WiredInterface): IdentifiedInterface {
  const { namespace = 'default', name: instance, annotations } = metadata;
  const identity = { namespace, instance, network: wired.network.name };
  const seed = annotations?.[WellKnownName.macSeedAnnotation];
  return { wired, identity, mac: askedMac(wired) ?? macOf(identity, seed) };
}

/** The hardware address that the spec asks for, if any. */
function askedMac({ interface: { macAddress = '' }, interfaceField }: WiredInterface): string | undefined {
  if (macAddress === '') return undefined;
  const mac = canonicalMac(macAddress);
  if (mac !== undefined) return mac;
  const field = `${interfaceField}.macAddress`;
  const message = `${field}: ${JSON.stringify(macAddress)} is no MAC address of a network card; write it like 02:42:ac:11:00:02`;
  throw new VirtHandlerError('unsupported-network', message, { field });
}
