import type { SwitchConfiguration } from '@smalt/switch-health';

/** The logical ports that interfaces of this node are for. */
export function interfaceIds(configuration: SwitchConfiguration): ReadonlySet<string> {
  const interfaces = configuration.bridges.flatMap(({ ports }) => ports).flatMap((port) => port.interfaces);
  return new Set(interfaces.flatMap(({ externalIds }) => externalIds.get('iface-id') ?? []));
}
