import type { Interface } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { aliasElement } from '../device-alias.ts';
import type { DomainNetwork, PasstNetwork } from '../domain-network.ts';
import { deviceStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { architectureOf } from '../shape/architecture.ts';
import { bootOrderOf } from '../shape/boot-order.ts';
import { hostPciAddress, pciAddress } from '../shape/pci-address.ts';
import { virtioGuard, virtioModel } from '../shape/virtio-model.ts';
import { plannedInterfaces, type PlannedInterface } from './planned-interfaces.ts';

/** The network cards, in the order of the instance. */
export const interfacesStep: DomainStep = deviceStep('interfaces', (input) => {
  const order = bootOrderOf(input);
  return plannedInterfaces(input).map((planned) => {
    const { card, network } = planned;
    const parts = { ...planned, input, bootOrder: order('interface', card.name) };
    return network.kind === 'pci' ? passedThrough(parts, network.address) : emulated(parts);
  });
});

interface InterfaceParts extends PlannedInterface {
  readonly input: DomainInput;
  readonly bootOrder: number | undefined;
}

/** A function of a card of the host. Its hardware address is set on the host. */
function passedThrough({ card, field, bootOrder }: InterfaceParts, address: string): XmlElement {
  return element('hostdev', { mode: 'subsystem', type: 'pci', managed: 'no' }, [
    element('source', {}, [hostPciAddress(address, field)]),
    bootOrder === undefined ? undefined : element('boot', { order: bootOrder }),
    aliasElement('interface', card.name),
    card.pciAddress === undefined ? undefined : pciAddress(card.pciAddress, `${field}.pciAddress`),
  ]);
}

function emulated({ input, card, network, mac, field, bootOrder }: InterfaceParts): XmlElement {
  const isVirtio = card.model === undefined || card.model === '' || card.model === 'virtio';
  const { type, place } = connection(network);
  return element('interface', { type }, [
    mac === undefined ? undefined : element('mac', { address: mac }),
    ...place,
    element('model', { type: isVirtio ? virtioModel(input) : card.model }),
    isVirtio ? driver(input, network) : undefined,
    card.state === undefined ? undefined : element('link', { state: card.state }),
    network.mtu === undefined ? undefined : element('mtu', { size: network.mtu }),
    ...(network.kind === 'passt' ? passtPorts(network, card) : []),
    bootOrder === undefined ? rom(input) : element('boot', { order: bootOrder }),
    card.acpiIndex === undefined ? undefined : element('acpi', { index: card.acpiIndex }),
    aliasElement('interface', card.name),
    card.pciAddress === undefined ? undefined : pciAddress(card.pciAddress, `${field}.pciAddress`),
  ]);
}

function connection(network: DomainNetwork): {
  readonly type: string;
  readonly place: readonly XmlElement[];
} {
  switch (network.kind) {
    case 'tap':
      return { type: 'ethernet', place: [element('target', { dev: network.tap, managed: 'no' })] };
    case 'bridge': {
      const source = element('source', { bridge: network.bridge });
      const target = network.device === undefined ? [] : [element('target', { dev: network.device })];
      if (network.ovsInterfaceId === undefined) return { type: 'bridge', place: [source, ...target] };
      return { type: 'bridge', place: [source, ...openVSwitchPort(network.ovsInterfaceId, network.vlan), ...target] };
    }
    case 'passt':
      return {
        type: 'user',
        place: network.device === undefined ? [] : [element('source', { dev: network.device })],
      };
    case 'pci':
      return { type: 'hostdev', place: [] };
  }
}

/** What makes a port of Open vSwitch out of an interface of a bridge. */
export function openVSwitchPort(interfaceId: string, vlan: number | undefined): readonly XmlElement[] {
  const port = element('virtualport', { type: 'openvswitch' }, [element('parameters', { interfaceid: interfaceId })]);
  return vlan === undefined ? [port] : [element('vlan', {}, [element('tag', { id: vlan })]), port];
}

function driver(input: DomainInput, network: DomainNetwork): XmlElement | undefined {
  const { iommu } = virtioGuard(input);
  const queues = network.kind === 'tap' || network.kind === 'bridge' ? network.queues : undefined;
  const many = queues !== undefined && queues > 1 ? queues : undefined;
  if (iommu === undefined && many === undefined) return undefined;
  return element('driver', { name: many === undefined ? undefined : 'vhost', queues: many, iommu });
}

/** What nobody boots from needs no boot ROM, which costs memory and time at start. */
function rom({ instance, style }: DomainInput): XmlElement | undefined {
  const hasRoms = style.hasVirtioGenerations && architectureOf(instance).name === 'amd64';
  return hasRoms ? element('rom', { enabled: 'no' }) : undefined;
}

function passtPorts({ device }: PasstNetwork, { ports = [], portRanges = [] }: Interface): readonly XmlElement[] {
  const protocols = ['tcp', 'udp'] as const;
  const forwards = protocols.flatMap((proto) => {
    const singles = ports.filter(({ protocol = 'TCP' }) => protocol.toLowerCase() === proto);
    const ranges = portRanges.filter(({ protocol }) => protocol.toLowerCase() === proto);
    if (singles.length + ranges.length === 0) return [];
    return [
      element('portForward', { proto, dev: device }, [
        ...singles.map(({ port }) => element('range', { start: port })),
        ...ranges.map(({ start, end }) => element('range', { start, end })),
      ]),
    ];
  });
  return [element('backend', { type: 'passt' }), ...forwards];
}
