import type { KindReference } from '@smalt/kubernetes';
import type { MigrationPolicy as MigrationPolicyObject } from '@smalt/vm-api';
import type { MigrationPolicy } from '@smalt/vm-lifecycle';

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
