import { atomicListOf, int32, integer, listOf, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

const pluginBinding: TSchema = shape({
  name: 'PluginBinding',
  description: 'A binding of a plugin.',
  required: ['name'],
  fields: {
    name: text('The name that the plugin was registered by.'),
  },
});

const interfaceBridge: TSchema = shape({
  name: 'InterfaceBridge',
  description: 'A bridge to the network.',
  fields: {},
});

export const interfaceMasquerade: TSchema = shape({
  name: 'InterfaceMasquerade',
  description: 'A private network with address translation.',
  fields: {},
});

const interfacePasstBinding: TSchema = shape({
  name: 'InterfacePasstBinding',
  description: 'User mode networking by passt.',
  fields: {},
});

const interfaceSRIOV: TSchema = shape({
  name: 'InterfaceSRIOV',
  description: 'A virtual function of a network card.',
  fields: {},
});

const deprecatedInterfaceMacvtap: TSchema = shape({
  name: 'DeprecatedInterfaceMacvtap',
  description: 'No longer supported; a plugin took its place.',
  fields: {},
});

const deprecatedInterfacePasst: TSchema = shape({
  name: 'DeprecatedInterfacePasst',
  description: 'No longer supported; a plugin took its place.',
  fields: {},
});

const deprecatedInterfaceSlirp: TSchema = shape({
  name: 'DeprecatedInterfaceSlirp',
  description: 'No longer supported; a plugin took its place.',
  fields: {},
});

const dhcpPrivateOptions: TSchema = shape({
  name: 'DHCPPrivateOptions',
  description: 'An option of DHCP for private use.',
  required: ['option', 'value'],
  fields: {
    option: integer('The number of the option, from 224 to 254.'),
    value: text('The value of the option.'),
  },
});

const dhcpOptions: TSchema = shape({
  name: 'DHCPOptions',
  description: 'What the guest is told by DHCP.',
  fields: {
    bootFileName: text('The file to boot.'),
    ntpServers: listOf(text(''), 'The addresses of time servers.'),
    privateOptions: listOf(dhcpPrivateOptions, 'Options for private use.'),
    tftpServerName: text('The server of the file to boot.'),
  },
});

const port: TSchema = shape({
  name: 'Port',
  description: 'A port that is let in.',
  required: ['port'],
  fields: {
    name: text('The name of the port.'),
    port: int32('The number of the port.'),
    protocol: text('`TCP` or `UDP`; TCP when not set.'),
  },
});

const portRange: TSchema = shape({
  name: 'PortRange',
  description: 'Ports that are let in.',
  required: ['end', 'protocol', 'start'],
  fields: {
    end: int32('The last port.'),
    protocol: text('`TCP` or `UDP`.'),
    start: int32('The first port.'),
  },
});

export const networkInterface: TSchema = shape({
  name: 'Interface',
  description: 'A network card of the guest: how it is connected to the network of the same name.',
  required: ['name'],
  fields: {
    acpiIndex: integer('The number that gives the card a stable name in the guest.'),
    binding: of(pluginBinding, 'Connected by a plugin.'),
    bootOrder: integer('Its place in the boot order, from 1; lower ones are tried first.'),
    bridge: of(interfaceBridge, 'Connected by a bridge.'),
    dhcpOptions: of(dhcpOptions, 'What the guest is told by DHCP.'),
    macAddress: text('Its hardware address.'),
    macvtap: of(deprecatedInterfaceMacvtap, 'No longer supported.'),
    masquerade: of(interfaceMasquerade, 'Connected by address translation.'),
    model: text('`virtio` (also when not set), `e1000`, `e1000e`, `igb`, `ne2k_pci`, `pcnet` or `rtl8139`.'),
    name: text('The name of the network.'),
    passt: of(deprecatedInterfacePasst, 'No longer supported.'),
    passtBinding: of(interfacePasstBinding, 'Connected by passt.'),
    pciAddress: text('Its place on the PCI bus, such as `0000:81:01.10`.'),
    portRanges: atomicListOf(portRange, 'Ranges of ports that are let in.'),
    ports: listOf(port, 'Ports that are let in; all when none is set.'),
    slirp: of(deprecatedInterfaceSlirp, 'No longer supported.'),
    sriov: of(interfaceSRIOV, 'Connected by a virtual function of a network card.'),
    state: text('`up` (also when not set), `down`, or `absent` to unplug it.'),
    tag: text('A tag that the guest finds in its metadata.'),
  },
});
