/** The devices that the networks of guests need, whatever their hypervisor. */
export const NETWORK_DEVICES = ['tun', 'vhost-net'] as const;
