export { asksForIt, findFields, type FoundField } from './capability/find-fields.ts';
export { incapabilitiesOf, isNoneOf, isOneOf, type Incapability } from './capability/incapability.ts';
export { refusalsOf, type Refusal } from './capability/refusals-of.ts';
export { findHypervisor, hypervisorOf } from './find-hypervisor.ts';
export { HypervisorError, isUnknownHypervisor, type HypervisorErrorCode } from './hypervisor-error.ts';
export type { Hypervisor, HypervisorDefaults, HypervisorOverheads } from './hypervisor.ts';
export { hypervisors } from './hypervisors.ts';
export type { ConfigurationFile, ConfigurationOptions, DaemonCommand, LibvirtAccess } from './libvirt-access.ts';
