import type { SwitchTopology } from '@smalt/ovs-api';

/** The interfaces of a bridge by name; none where that is not known. */
export function interfaceNames(topology: SwitchTopology | undefined, bridge: string): readonly string[] {
  const ports = topology?.bridges.find(({ name }) => name === bridge)?.ports ?? [];
  return ports.flatMap(({ interfaces }) => interfaces.map(({ name }) => name));
}
