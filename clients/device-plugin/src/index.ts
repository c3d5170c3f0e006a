export { systemClock, type Clock } from './clock.ts';
export { DevicePluginError, isDevicePluginError, type DevicePluginErrorCode } from './device-plugin-error.ts';
export type { Allocation, DeviceNode, DeviceOffer, OfferedDevice } from './plugin/device-offer.ts';
export { DevicePlugin, type DevicePluginOptions } from './plugin/device-plugin.ts';
export { DEFAULT_DIRECTORY as KUBELET_PLUGIN_DIRECTORY, KUBELET_SOCKET } from './plugin/kubelet-socket.ts';
