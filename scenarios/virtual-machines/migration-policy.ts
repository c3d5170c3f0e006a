const FREE = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Teaches a cluster MigrationPolicies. */
export const MIGRATION_POLICIES: Readonly<Record<string, unknown>> = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'migrationpolicies.migrations.kubevirt.io' },
  spec: {
    group: 'migrations.kubevirt.io',
    names: { kind: 'MigrationPolicy', plural: 'migrationpolicies', singular: 'migrationpolicy' },
    scope: 'Cluster',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: FREE } } },
      },
    ],
  },
};

/** A policy so narrow that no migration gets to its end by itself. */
export const CRAWL = `
apiVersion: migrations.kubevirt.io/v1alpha1
kind: MigrationPolicy
metadata:
  name: crawl
spec:
  bandwidthPerMigration: 1Mi
  selectors:
    virtualMachineInstanceSelector:
      pace: crawl
`;
