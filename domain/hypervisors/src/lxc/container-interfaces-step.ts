import {
  aliasElement,
  deviceStep,
  openVSwitchPort,
  plannedInterfaces,
  DomainXmlError,
  type DomainNetwork,
  type DomainStep,
} from '@smalt/domain-xml';
import { element, type XmlElement } from '@smalt/xml';

/** The network interfaces of the container: pairs of virtual cables, one end in it. */
export const containerInterfacesStep: DomainStep = deviceStep('container-interfaces', (input) =>
  plannedInterfaces(input).map(({ card, network, mac, field }) => {
    const { type, place } = connection(network, field);
    return element('interface', { type }, [
      mac === undefined ? undefined : element('mac', { address: mac }),
      ...place,
      // libvirt leaves an interface down unless it is told.
      element('link', { state: card.state ?? 'up' }),
      aliasElement('interface', card.name),
    ]);
  }),
);

function connection(
  network: DomainNetwork,
  field: string,
): { readonly type: string; readonly place: readonly XmlElement[] } {
  switch (network.kind) {
    case 'tap':
      // libvirt makes the pair itself and gives the node's end this name.
      return { type: 'ethernet', place: [element('target', { dev: network.tap })] };
    case 'bridge': {
      const source = element('source', { bridge: network.bridge });
      if (network.ovsInterfaceId === undefined) return { type: 'bridge', place: [source] };
      return { type: 'bridge', place: [source, ...openVSwitchPort(network.ovsInterfaceId, network.vlan)] };
    }
    case 'pci':
    case 'passt': {
      const message = `the hypervisor lxc cannot be connected by ${network.kind}; use masquerade or bridge`;
      throw new DomainXmlError('unsupported-by-node', message, { field });
    }
  }
}
