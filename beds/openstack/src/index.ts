export { canRunOpenStack, type CloudCredentials, type ServiceType } from '@smalt/local-openstack';
export type { CloudCompute, CloudGuest, ComputeKnobs } from './cloud-compute.ts';
export { OpenStackBedError, type OpenStackBedErrorCode } from './error.ts';
export { startOpenStack, type OpenStackCloud, type OpenStackOptions } from './start-openstack.ts';
