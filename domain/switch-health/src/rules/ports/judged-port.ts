import { readOvnSettings } from '../../ovn-settings.ts';
import { isLocalPort, localInterface } from '../../status/bridge-state.ts';
import { isBond, isPhysical } from '../../status/physical-interfaces.ts';
import type { BridgeFacts, InterfaceFacts, PortFacts, SwitchConfiguration } from '../../switch-facts.ts';

/** An interface with its surroundings, as rules about ports look at it. */
export interface JudgedPort {
  readonly interface: InterfaceFacts;
  readonly port: PortFacts;
  readonly bridge: BridgeFacts;
  readonly isOnIntegrationBridge: boolean;
  /** The port of the bridge itself, a tunnel, the end of a mirror, a card or a bond: never an orphan. */
  readonly isFurniture: boolean;
  readonly isPhysical: boolean;
  /** Whether its owner has asked that nobody tidies it away. */
  readonly isKept: boolean;
  /** Whether devices of this bridge have numbers in the kernel; those of a simulated datapath have none. */
  readonly hasKernelDevices: boolean;
}

const TUNNELS: ReadonlySet<string> = new Set([
  'geneve',
  'vxlan',
  'gre',
  'ip6gre',
  'erspan',
  'ip6erspan',
  'stt',
  'lisp',
  'gtpu',
  'bareudp',
  'srv6',
]);

/** All interfaces with what they are. */
export function judgedPorts(configuration: SwitchConfiguration): readonly JudgedPort[] {
  const { integrationBridge } = readOvnSettings(configuration);
  return configuration.bridges.flatMap((bridge) => {
    const hasKernelDevices = (localInterface(bridge)?.ifindex ?? 0n) > 0n;
    const outputs = new Set(bridge.mirrors.map(({ outputPort }) => outputPort));
    return bridge.ports.flatMap((port) =>
      port.interfaces.map((face) => ({
        interface: face,
        port,
        bridge,
        isOnIntegrationBridge: bridge.name === integrationBridge,
        isFurniture: isLocalPort(bridge, port) || isTunnel(face, port) || outputs.has(port.name) || isBond(port),
        isPhysical: isPhysical(face, port, { bridge, integrationBridge }),
        isKept: port.externalIds.has('skip_cleanup') || face.externalIds.has('skip_cleanup'),
        hasKernelDevices,
      })),
    );
  });
}

function isTunnel(face: InterfaceFacts, port: PortFacts): boolean {
  return TUNNELS.has(face.type) || port.externalIds.has('ovn-chassis-id');
}
