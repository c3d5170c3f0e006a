export { addressesInUse, configureLinks, forgetOrphansSoon, waitUntilForwarding } from './configure-links.ts';
export { hardwareAddress } from './hardware-address.ts';
export { openHostSwitch, type HostSwitch, type HostSwitchOptions } from './host-switch.ts';
export { LocalHost, type LocalHostOptions } from './local-host.ts';
export { isHostOff, LocalHostsError, type LocalHostsErrorCode } from './local-hosts-error.ts';
export { openLocalNetwork, removeLocalNetwork, type LocalNetwork, type LocalNetworkOptions } from './local-network.ts';
export {
  startPowerController,
  type PowerController,
  type PowerControllerOptions,
  type PowerSwitch,
} from './power-controller.ts';
export { keepCapabilities, lendCapabilities } from './qemu-capabilities-cache.ts';
export { removeCgroups } from './remove-cgroups.ts';
