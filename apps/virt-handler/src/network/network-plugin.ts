import type { DomainNetwork } from '@smalt/domain-xml';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { Interface, Network, VirtualMachineInstance } from '@smalt/vm-api';

import type { Ipv4Range } from './nat/ipv4-range.ts';
import type { InterfaceRecord } from './register/interface-record.ts';

/** Connects interfaces of instances to the networks of the node in one way. One folder each. */
export interface NetworkPlugin {
  readonly name: string;
  /** The addresses that it gives; undefined where somebody else gives them. */
  readonly range?: Ipv4Range | undefined;
  /** Connects the interface and says how; when it is connected already, that is all. */
  connect(request: NetworkRequest, signal: AbortSignal): Promise<DomainNetwork>;
  /** Takes back what `connect` made for interfaces that are no longer in use; what is gone already is no failure. */
  disconnect?(gone: readonly InterfaceRecord[], signal: AbortSignal): Promise<void>;
  /** Puts right what others break, until the signal fires. */
  keepRunning?(signal: AbortSignal): Promise<void>;
}

export interface NetworkRequest {
  readonly instance: VirtualMachineInstance;
  /** What its pod was given; undefined where the pod is not known. */
  readonly sandbox?: PodSandbox | undefined;
  readonly network: Network;
  readonly interface: Interface;
  /** What the interface has on this node: a hardware address, and an address from the range of the plugin. */
  readonly record: InterfaceRecord;
  /** Where the setting leads: the name of a bridge, for plugins that take one. */
  readonly bridge: string | undefined;
  readonly vlan: number | undefined;
  /** What the functions of cards are called that it leads to, for plugins that take one. */
  readonly resource?: string | undefined;
  /** The fields of the instance to name in errors, such as `spec.networks[0]` and `spec.domain.devices.interfaces[0]`. */
  readonly field: string;
  readonly interfaceField: string;
}

export interface ConnectedNetwork {
  readonly domain: DomainNetwork;
  /** The addresses that the guest is given there, or none where somebody else gives them. */
  readonly addresses: readonly string[];
}

/** All interfaces of an instance at once. */
export interface InstanceNetworks {
  /** Connects them, with what the pod of the instance was given where it is known. */
  connect(
    instance: VirtualMachineInstance,
    signal: AbortSignal,
    sandbox?: PodSandbox,
  ): Promise<readonly ConnectedNetwork[]>;
  disconnect(instance: VirtualMachineInstance, signal: AbortSignal): Promise<void>;
  /** Takes back what instances left that are not among these; called after the handler has started. */
  sweep(present: readonly VirtualMachineInstance[], signal: AbortSignal): Promise<void>;
}

/** What this node itself has given to guests, whatever they say about themselves. */
export interface GivenAddresses {
  /** The first address that an instance was given; undefined where somebody else gives addresses. */
  givenAddress(instance: VirtualMachineInstance): Promise<string | undefined>;
}

/** The networks of instances on this node, with what they need in the background. */
export interface NodeNetworks extends InstanceNetworks, GivenAddresses {
  /** Puts right what others break. Ends when the signal fires, and leaves all networks as they are. */
  keepRunning(signal: AbortSignal): Promise<void>;
}
