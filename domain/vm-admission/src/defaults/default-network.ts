import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { changeDevices } from './change-domain.ts';

/** Connects an instance without networks and interfaces to the pod network, unless it wants none. */
export function defaultNetwork(
  spec: VirtualMachineInstanceSpec,
  settings: Pick<ClusterSettings, 'defaultNetworkInterface'>,
): VirtualMachineInstanceSpec {
  const { autoattachPodInterface, interfaces = [] } = spec.domain.devices;
  const isConnected = interfaces.length > 0 || (spec.networks ?? []).length > 0;
  if (isConnected || autoattachPodInterface === false) return spec;
  const binding = settings.defaultNetworkInterface === 'bridge' ? { bridge: {} } : { masquerade: {} };
  return changeDevices(
    { ...spec, networks: [{ name: 'default', pod: {} }] },
    { interfaces: [{ name: 'default', ...binding }] },
  );
}
