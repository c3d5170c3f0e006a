export type { CloudCredentials } from './cloud-client.ts';
export type { CloudCompute, CloudGuest, ComputeKnobs } from './cloud-compute.ts';
export type { ServiceType } from './configuration/cloud-address.ts';
export { OpenStackBedError, type OpenStackBedErrorCode } from './error.ts';
export { canRunOpenStack } from './software/ensure-software.ts';
export { startOpenStack, type OpenStackCloud, type OpenStackOptions } from './start-openstack.ts';
