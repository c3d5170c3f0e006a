import type { SwitchTopology, TopologyInterface } from '@smalt/ovs-api';

import { kindWords, portKind } from '../topology/port-kind.ts';
import { findPatches, memberState, otherEnd, portState, type PortState } from '../topology/port-state.ts';

/** An interface of a switch, with the port and the bridge that it is in. */
export interface PortRow {
  readonly key: string;
  readonly bridge: string;
  readonly port: string;
  readonly name: string;
  readonly kind: string;
  readonly state: PortState;
  readonly number: number | undefined;
  /** Where it leads: the other end of a patch or a tunnel, a logical port, or the bond it is in. */
  readonly leadsTo: string;
}

/** All that the picture shows, one interface a row. */
export function portRows(topology: SwitchTopology): readonly PortRow[] {
  const patches = findPatches(topology);
  return topology.bridges.flatMap(({ name: bridge, ports }) =>
    ports.flatMap((port) =>
      port.interfaces.map((device) => {
        const isMember = port.interfaces.length > 1;
        return {
          key: `${bridge}/${port.name}/${device.name}`,
          bridge,
          port: port.name,
          name: device.name,
          kind: isMember ? 'Member of a bond' : kindWords(portKind(port)),
          state: isMember ? memberState(device) : portState(port, patches),
          number: device.number,
          leadsTo: isMember
            ? `in ${port.name}, ${port.bondMode ?? ''}`
            : leadsTo(device, otherEnd(device, patches)?.bridge),
        };
      }),
    ),
  );
}

function leadsTo(device: TopologyInterface, otherBridge: string | undefined): string {
  if (device.type === 'patch') {
    return otherBridge === undefined ? (device.peer ?? '') : `${otherBridge} (${device.peer ?? ''})`;
  }
  return device.remote ?? device.logicalPort ?? '';
}
