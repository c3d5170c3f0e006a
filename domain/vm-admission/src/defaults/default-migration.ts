import { WellKnownName, type VirtualMachineInstanceMigration } from '@smalt/vm-api';

/** A new migration with the label that finds it by its instance, and kept until its end is dealt with. */
export function defaultMigration(migration: VirtualMachineInstanceMigration): VirtualMachineInstanceMigration {
  const { metadata, spec } = migration;
  const { finalizers = [] } = metadata;
  const isKept = finalizers.includes(WellKnownName.migrationFinalizer);
  return {
    ...migration,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [WellKnownName.migrationSelectorLabel]: spec.vmiName ?? '' },
      finalizers: isKept ? finalizers : [...finalizers, WellKnownName.migrationFinalizer],
    },
  };
}
