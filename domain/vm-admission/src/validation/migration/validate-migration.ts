import {
  isFinalPhase,
  VirtualMachineInstanceConditionReason,
  VirtualMachineInstanceConditionType,
  WellKnownName,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';

import type { Requester } from '../../admission-context.ts';
import { forbidden, invalid, notFound, notSupported, required, type Cause } from '../../cause.ts';
import type { ClusterSettings } from '../../cluster-settings.ts';
import { gateAdvice, isGateOpen } from '../../feature-gates.ts';
import { isSameValue } from '../../is-same-value.ts';

/** What a new migration is judged with. */
export interface MigrationAdmission {
  readonly settings: ClusterSettings;
  readonly requester: Requester;
  /** The instance that it names, where there is one. */
  readonly instance: VirtualMachineInstance | undefined;
  /** All migrations of that instance, whether they are over or not. */
  readonly migrations: readonly VirtualMachineInstanceMigration[];
}

const VMI_NAME = 'spec.vmiName';
const DECENTRALIZED = 'DecentralizedLiveMigration';

/** Every reason why a migration cannot be begun. */
export function validateMigration(
  migration: VirtualMachineInstanceMigration,
  context: MigrationAdmission,
): readonly Cause[] {
  const { vmiName = '', priority } = migration.spec;
  const mayPrioritize = context.requester.kind === 'controller';
  const priorityMessage = 'Migration priority queue, only virt-controller is allowed to set priority field';
  return [
    ...(vmiName === '' ? [required(VMI_NAME, 'vmiName is missing')] : validateInstance(migration, context)),
    ...(priority === undefined || mayPrioritize ? [] : [forbidden('spec.migrationPriority', priorityMessage)]),
    ...validateDecentralized(migration, context.settings),
  ];
}

function validateInstance(
  migration: VirtualMachineInstanceMigration,
  { instance, migrations }: MigrationAdmission,
): readonly Cause[] {
  const { metadata, spec } = migration;
  if (instance === undefined) {
    return [notFound(VMI_NAME, `the VMI "${metadata.namespace ?? ''}/${spec.vmiName ?? ''}" does not exist`)];
  }
  const active = migrations.filter(({ status }) => !isFinalPhase(status?.phase));
  return [
    ...(isFinalPhase(instance.status?.phase) ? [invalid(VMI_NAME, 'Cannot migrate VMI in finalized state.')] : []),
    ...validateMigratable(migration, instance),
    ...active.slice(0, 1).map((other) => {
      const job = `Active migration job (${other.metadata.uid ?? ''}) is currently already in progress`;
      const message = `in-flight migration detected. ${job} for VMI ${other.spec.vmiName ?? ''}.`;
      return invalid(VMI_NAME, message, `Wait for ${other.metadata.name}, or delete it to give it up.`);
    }),
  ];
}

function validateMigratable(
  { spec }: VirtualMachineInstanceMigration,
  instance: VirtualMachineInstance,
): readonly Cause[] {
  const isDecentralized = spec.sendTo !== undefined || spec.receive !== undefined;
  const refusal = (instance.status?.conditions ?? []).find(
    ({ type, status, reason }) =>
      type === VirtualMachineInstanceConditionType.liveMigratable &&
      status === 'False' &&
      // Disks that cannot be shared are sent along to another cluster.
      !(isDecentralized && reason === VirtualMachineInstanceConditionReason.LiveMigratable.disks),
  );
  if (refusal === undefined) return [];
  const { reason = '', message = '' } = refusal;
  return [invalid(VMI_NAME, `Cannot migrate VMI, Reason: ${reason}, Message: ${message}`)];
}

function validateDecentralized({ spec }: VirtualMachineInstanceMigration, settings: ClusterSettings): readonly Cause[] {
  const { sendTo, receive } = spec;
  if (sendTo === undefined && receive === undefined) return [];
  const [sent, received] = [sendTo?.migrationID, receive?.migrationID];
  const isMismatch = sent !== undefined && received !== undefined && sent !== received;
  const gate = `${DECENTRALIZED} feature gate is not enabled in kubevirt resource`;
  return [
    ...(isGateOpen(settings, DECENTRALIZED) ? [] : [notSupported('', gate, gateAdvice(DECENTRALIZED))]),
    ...(isMismatch ? [invalid('', `sendTo migrationID ${sent} does not match receive migrationID ${received}`)] : []),
  ];
}

/** Every reason why a migration cannot be changed so. What it does is fixed; while it runs, so is how it is found. */
export function validateMigrationUpdate(
  migration: VirtualMachineInstanceMigration,
  old: VirtualMachineInstanceMigration,
): readonly Cause[] {
  const label = migration.metadata.labels?.[WellKnownName.migrationSelectorLabel];
  const oldLabel = old.metadata.labels?.[WellKnownName.migrationSelectorLabel];
  const isLabelFixed = !isFinalPhase(migration.status?.phase) && oldLabel !== undefined;
  const verb = migration.metadata.labels === undefined ? 'removed from' : 'modified on';
  const specAdvice = 'Delete the migration and make a new one.';
  return [
    ...(isSameValue(migration.spec, old.spec)
      ? []
      : [notSupported('', "update of Migration object's spec is restricted", specAdvice)]),
    ...(isLabelFixed && label !== oldLabel
      ? [notSupported('', `selector label can't be ${verb} an in-flight migration`)]
      : []),
  ];
}
