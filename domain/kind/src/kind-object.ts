import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** The objects of a kind: `KindObject<typeof hypervisorKind>` is `Hypervisor`. */
export type KindObject<Reference> = Reference extends KindReference<infer T extends KubernetesObject> ? T : never;
