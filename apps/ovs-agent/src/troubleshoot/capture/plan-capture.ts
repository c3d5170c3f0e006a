import type { BridgeFacts, InterfaceFacts, PortFacts, SwitchConfiguration } from '@smalt/switch-health';

/** What a capture is about. */
export type CaptureTarget =
  | { readonly kind: 'port'; readonly name: string }
  | { readonly kind: 'bridge'; readonly name: string };

/** How a capture is made: on a device of the kernel, or on one that the switch copies packets to. */
export type CapturePlan =
  | { readonly kind: 'device'; readonly device: string }
  | { readonly kind: 'mirror'; readonly bridge: string; readonly port: string | undefined }
  | { readonly kind: 'refused'; readonly field: 'port' | 'bridge'; readonly why: string };

/** Types of interfaces that are devices of the kernel, where it has numbered them. */
const KERNEL_TYPES: ReadonlySet<string> = new Set(['', 'system', 'internal', 'tap', 'afxdp', 'afxdp-nonpmd']);
/** tcpdump takes a number for the place in its list of devices, and `any` for all of them. */
const DEVICE = /^(?!any$|\d+$)[A-Za-z0-9_.:@-]{1,15}$/;

/** Decides how to capture. Pure, so every branch is a row in the test. */
export function planCapture(target: CaptureTarget, { bridges }: Pick<SwitchConfiguration, 'bridges'>): CapturePlan {
  if (target.kind === 'bridge') {
    if (bridges.some(({ name }) => name === target.name)) {
      return { kind: 'mirror', bridge: target.name, port: undefined };
    }
    const names = bridges.map(({ name }) => name).join(', ');
    return { kind: 'refused', field: 'bridge', why: `there is no bridge "${target.name}" here; there are: ${names}` };
  }
  const found = findPort(bridges, target.name);
  if (found === undefined) {
    const why = `no bridge here has a port or interface "${target.name}": GET /v1/diagnostics lists them`;
    return { kind: 'refused', field: 'port', why };
  }
  return planPort(found);
}

interface FoundPort {
  readonly bridge: BridgeFacts;
  readonly port: PortFacts;
  /** The one that was named, or the only one of the port. */
  readonly device: InterfaceFacts | undefined;
}

function planPort({ bridge, port, device }: FoundPort): CapturePlan {
  if (device !== undefined && isKernelDevice(device)) return { kind: 'device', device: device.name };
  if (device !== undefined && (device.ofport ?? -1n) < 1n) {
    const why = `"${device.name}" is not attached to the switch${device.error === undefined ? '' : `: ${device.error}`}`;
    return { kind: 'refused', field: 'port', why };
  }
  if (device?.type === 'patch') {
    // Packets that go through a patch port are copied by no mirror of that port, at either end.
    const why = `"${device.name}" leads to another bridge within the switch, which copies no packets there`;
    return { kind: 'refused', field: 'port', why: `${why}: capture all of it with {"bridge": "${bridge.name}"}` };
  }
  return { kind: 'mirror', bridge: bridge.name, port: port.name };
}

function findPort(bridges: readonly BridgeFacts[], name: string): FoundPort | undefined {
  for (const bridge of bridges) {
    for (const port of bridge.ports) {
      const member = port.interfaces.find((each) => each.name === name);
      const only = port.interfaces.length === 1 ? port.interfaces[0] : undefined;
      // A bond may be called like one of its members: then all of it is meant.
      if (port.name === name) return { bridge, port, device: only };
      if (member !== undefined) return { bridge, port, device: member };
    }
  }
  return undefined;
}

function isKernelDevice({ type, ifindex, name }: InterfaceFacts): boolean {
  return KERNEL_TYPES.has(type) && (ifindex ?? 0n) > 0n && DEVICE.test(name);
}
