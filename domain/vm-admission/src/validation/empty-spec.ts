import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

/** What a template without a spec asks for: nothing yet. An instance type can fill it. */
export const EMPTY_SPEC: VirtualMachineInstanceSpec = { domain: { devices: {} } };
