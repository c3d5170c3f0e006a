export { controlPlaneIn, type ControlPlane } from './admission/requester-of.ts';
export { plugVirtApi, type ApiServerHooks, type Unplug } from './local/plug-virt-api.ts';
export { loadVirtApiConfig, virtApiFields } from './settings/load-virt-api-config.ts';
export type { VirtApiConfig } from './settings/virt-api-config.ts';
export { virtApiSettings, type VirtApiSettings } from './settings/virt-api-settings.ts';
export { startVirtApi, type VirtApi, type VirtApiServiceOptions } from './start-virt-api.ts';
export { isRefusal, VirtApiError, type VirtApiErrorCode } from './virt-api-error.ts';
export { openVirtApiParts, type VirtApiOptions, type VirtApiParts } from './virt-api-parts.ts';
