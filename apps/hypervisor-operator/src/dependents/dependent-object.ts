import type { Fields } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';

/** An object that the operator makes for a node, whose spec it only compares. */
export interface DependentObject extends KubernetesObject {
  readonly spec?: Fields;
}

/** Such an object as the operator keeps it: without what others tell of it. */
export function slimDependentObject({ apiVersion, kind, metadata, spec }: DependentObject): DependentObject {
  const { managedFields: _, annotations: __, ...kept } = metadata;
  return { apiVersion, kind, metadata: kept, ...(spec !== undefined && { spec }) };
}
