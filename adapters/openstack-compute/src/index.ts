export { createOpenStackCompute, type OpenStackComputeOptions } from './create-openstack-compute.ts';
export { openOpenStackCompute, type OpenOpenStackComputeOptions } from './open-openstack-compute.ts';
export {
  defaultOpenStackComputeSettings,
  type OpenStackComputeSettings,
  type SmokeTestNetwork,
  type SmokeTestSettings,
} from './openstack-compute-settings.ts';
