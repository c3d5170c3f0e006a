import { defaultHypervisorSettings } from '../hypervisor/hypervisor-settings.ts';

export interface MaintenanceSettings {
  readonly concurrency: number;
  /** How often the compute service is looked at although nothing changed. */
  readonly resyncMs: number;
  /** How soon it is looked at once more when it seemed to be as newly wanted already. */
  readonly confirmMs: number;
  /** What an Eviction says that was made because of `spec.maintenance`. */
  readonly evictionReason: string;
  /** The labels that such an Eviction takes over from its hypervisor. */
  readonly transferLabels: readonly string[];
  /** Whether a compute service that somebody else has disabled stays so while there is no maintenance. */
  readonly respectForeignDisable: boolean;
}

export const defaultMaintenanceSettings: MaintenanceSettings = {
  concurrency: 16,
  resyncMs: 300_000,
  confirmMs: 15_000,
  evictionReason: 'openstack-hypervisor-operator maintenance',
  transferLabels: defaultHypervisorSettings.transferLabels,
  respectForeignDisable: false,
};
