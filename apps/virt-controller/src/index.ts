export { loadVirtControllerConfig, virtControllerFields } from './settings/load-virt-controller-config.ts';
export type { VirtControllerConfig } from './settings/virt-controller-config.ts';
export { virtControllerSettingsOf } from './settings/virt-controller-settings-of.ts';
export { defaultVirtControllerSettings, type VirtControllerSettings } from './settings/virt-controller-settings.ts';
export { startVirtController } from './start-virt-controller.ts';
export { VirtControllerError, type VirtControllerErrorCode } from './virt-controller-error.ts';
export type { LeaderElectionPlace, VirtController, VirtControllerOptions } from './virt-controller-options.ts';
