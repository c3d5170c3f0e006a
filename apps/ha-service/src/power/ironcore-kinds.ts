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
export const REASON_ANNOTATION = 'metal.ironcore.dev/reason';

/** The name of the ServerMaintenance that keeps a server off. */
export function maintenanceName({ server }: { readonly server: string }): string {
  return `ha-${server}`;
}
