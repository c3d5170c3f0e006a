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
