import type { KindReference, KubernetesObject, LabelSelectorObject } from '@smalt/kubernetes';

/** Who may come in, or where a pod may go. */
export interface PolicyPeer {
  readonly podSelector?: LabelSelectorObject;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface PolicyPort {
  readonly protocol?: string;
  /** A number, or the name of a port of the pod that is reached. */
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface PolicyRule {
  readonly from?: readonly PolicyPeer[];
  readonly to?: readonly PolicyPeer[];
  readonly ports?: readonly PolicyPort[];
}

export interface NetworkPolicy extends KubernetesObject {
  readonly spec?: {
    readonly podSelector?: LabelSelectorObject;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly PolicyRule[];
    readonly egress?: readonly PolicyRule[];
  };
}

export interface Pod extends KubernetesObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly hostNetwork?: boolean;
    readonly containers?: readonly { readonly ports?: readonly ContainerPort[] }[];
  };
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

interface ContainerPort {
  readonly name?: string;
  readonly containerPort: number;
  readonly protocol?: string;
}

export const networkPolicyKind: KindReference<NetworkPolicy> = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  isNamespaced: true,
};

export const podKind: KindReference<Pod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  isNamespaced: true,
};

export const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};
