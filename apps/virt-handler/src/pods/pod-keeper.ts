/** Who may run the pods of a node. `auto`: the kubelet where one is, else the pod runner. */
export const POD_KEEPERS = ['auto', 'kubelet', 'pod-runner'] as const;
export type PodKeeper = (typeof POD_KEEPERS)[number];
