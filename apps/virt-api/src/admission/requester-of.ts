import type { Requester } from '@smalt/vm-admission';

/** Who asks, as Kubernetes says it. */
export interface AskingUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The user names of the parts of the control plane. */
export interface ControlPlane {
  readonly api: readonly string[];
  readonly controller: readonly string[];
  readonly handler: readonly string[];
}

const NODE_NAME = 'authentication.kubernetes.io/node-name';

/** The control plane that runs with the service accounts of a namespace: ours, and those of KubeVirt beside it. */
export function controlPlaneIn(namespace: string): ControlPlane {
  const accounts = (...names: readonly string[]): readonly string[] =>
    names.map((name) => `system:serviceaccount:${namespace}:${name}`);
  return {
    api: accounts('smalt-virt-api', 'kubevirt-apiserver'),
    controller: accounts('smalt-virt-controller', 'kubevirt-controller'),
    handler: accounts('smalt-virt-handler', 'kubevirt-handler'),
  };
}

/** Which part of the control plane a user is, or somebody from outside. */
export function requesterOf({ name, extra }: AskingUser, controlPlane: ControlPlane): Requester {
  if (controlPlane.api.includes(name)) return { kind: 'api' };
  if (controlPlane.controller.includes(name)) return { kind: 'controller' };
  if (!controlPlane.handler.includes(name)) return { kind: 'user' };
  const nodeName = Object.hasOwn(extra, NODE_NAME) ? extra[NODE_NAME]?.[0] : undefined;
  return nodeName === undefined ? { kind: 'handler' } : { kind: 'handler', nodeName };
}
