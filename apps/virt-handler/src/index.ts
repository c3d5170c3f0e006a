export type { DriverSettings, DriverTable } from './hypervisor-sessions/driver-settings.ts';
export { localDrivers, type LocalLibvirt } from './hypervisor-sessions/local-drivers.ts';
export { NODE_LOG_DEFAULTS, NODE_LOG_UNITS, type NodeLogSettings } from './logs/log-settings.ts';
export { plainMigrationWarning } from './migration/peer-uri.ts';
export { defaultNetworkSettings, type NatSettings, type NetworkSettings } from './network/network-settings.ts';
export { NODE_API_DEFAULTS, type NodeApiSettings } from './node-api/node-api-settings.ts';
export { loadVirtHandlerConfig, virtHandlerFields } from './settings/load-virt-handler-config.ts';
export type { VirtHandlerConfig } from './settings/virt-handler-config.ts';
export {
  virtHandlerSettings,
  type SettingsSurroundings,
  type VirtHandlerSettings,
} from './settings/virt-handler-settings.ts';
export { startVirtHandler } from './start/start-virt-handler.ts';
export { isVirtHandlerError, VirtHandlerError, type VirtHandlerErrorCode } from './virt-handler-error.ts';
export type { MigrationOptions, VirtHandler, VirtHandlerOptions } from './virt-handler-options.ts';
