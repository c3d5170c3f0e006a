export { createVmCompute, type VmComputeOptions } from './create-vm-compute.ts';
export { ObjectName } from './object-names.ts';
export type { ConsoleListening, ReadConsole } from './smoke-tests/read-console.ts';
export { defaultVmComputeSettings, type SmokeTestSettings, type VmComputeSettings } from './vm-compute-settings.ts';
