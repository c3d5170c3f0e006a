import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import type { MigrationConfiguration } from '@smalt/vm-api';
import type { MigrationPolicy } from '@smalt/vm-lifecycle';

type Labels = Readonly<Record<string, string>>;

/** migrations.kubevirt.io/v1alpha1 MigrationPolicy, as far as it is read. */
export interface MigrationPolicyObject extends KubernetesObject {
  readonly spec: Pick<
    MigrationConfiguration,
    | 'allowAutoConverge'
    | 'allowPostCopy'
    | 'allowWorkloadDisruption'
    | 'bandwidthPerMigration'
    | 'completionTimeoutPerGiB'
  > & {
    readonly selectors?: {
      readonly namespaceSelector?: Labels;
      readonly virtualMachineInstanceSelector?: Labels;
    };
  };
}

export const migrationPolicyKind: KindReference<MigrationPolicyObject> = {
  group: 'migrations.kubevirt.io',
  version: 'v1alpha1',
  kind: 'MigrationPolicy',
  plural: 'migrationpolicies',
  isNamespaced: false,
};

export const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

/** A policy in the words of the decision. */
export function policyOf({ metadata, spec }: MigrationPolicyObject): MigrationPolicy {
  const { selectors, ...settings } = spec;
  const { namespaceSelector: namespace, virtualMachineInstanceSelector: instance } = selectors ?? {};
  return {
    name: metadata.name,
    settings,
    ...(selectors === undefined
      ? {}
      : {
          selectors: {
            ...(instance === undefined ? {} : { instance }),
            ...(namespace === undefined ? {} : { namespace }),
          },
        }),
  };
}
