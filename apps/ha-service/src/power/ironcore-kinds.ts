import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** A bare metal server, as far as fencing needs it. */
export interface Server extends KubernetesObject {
  readonly spec?: {
    readonly systemUUID?: string;
    readonly serverMaintenanceRef?: { readonly name?: string; readonly namespace?: string };
  };
  readonly status?: { readonly powerState?: string; readonly state?: string };
}

/** The wish to have a server for oneself for a while; here: switched off. */
export interface ServerMaintenance extends KubernetesObject {
  readonly spec?: {
    readonly policy?: string;
    readonly serverRef?: { readonly name: string };
    readonly serverPower?: string;
  };
  readonly status?: { readonly state?: string };
}

export const serverKind: KindReference<Server> = {
  group: 'metal.ironcore.dev',
  version: 'v1alpha1',
  kind: 'Server',
  plural: 'servers',
  isNamespaced: false,
};

export const maintenanceKind: KindReference<ServerMaintenance> = {
  group: 'metal.ironcore.dev',
  version: 'v1alpha1',
  kind: 'ServerMaintenance',
  plural: 'servermaintenances',
  isNamespaced: true,
};

/** What asks for an operation on a Server; `park` has it switched off and left alone. */
export const OPERATION_ANNOTATION = 'metal.ironcore.dev/operation';
const REASON_ANNOTATION = 'metal.ironcore.dev/reason';
/** Names the last order to park that was ours: without it a Server was parked by somebody else, or for another incident. */
export const ORDER_ANNOTATION = 'smalt.dev/ha-order';

/** By these labels our ServerMaintenances are found; the second is cut where the name of the server is too long for one. */
export const SERVICE_LABELS = { 'app.kubernetes.io/managed-by': 'smalt-ha-service' } as const;
const SERVER_LABEL = 'smalt.dev/ha-server';

/** A ServerMaintenance that has a server switched off, with a name that none had before. */
export function newMaintenance(
  { server, namespace }: { readonly server: string; readonly namespace: string },
  id: string,
): Pick<ServerMaintenance, 'metadata' | 'spec'> {
  const labels = { ...SERVICE_LABELS, [SERVER_LABEL]: server.slice(0, 63).replace(/[^A-Za-z0-9]+$/, '') };
  const annotations = { [REASON_ANNOTATION]: 'host is down' };
  return {
    metadata: { name: `ha-${server.slice(0, 200)}-${id.toLowerCase()}`, namespace, labels, annotations },
    spec: { policy: 'Enforced', serverRef: { name: server }, serverPower: 'Off' },
  };
}
