import type { KubernetesObject } from '@smalt/kubernetes';

import type { QuantitiesByName } from './pod.ts';

/** core/v1 Node, as far as placement reads it. */
export interface Node extends KubernetesObject {
  readonly spec?: { readonly unschedulable?: boolean; readonly taints?: readonly Taint[] };
  readonly status?: {
    readonly allocatable?: QuantitiesByName;
    /** `bootID` is another one after each boot. */
    readonly nodeInfo?: { readonly bootID?: string };
  };
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`. */
  readonly effect: string;
}
