export type { CellUse, DomainTotals, DomainUse } from './domain-use.ts';
export { type DmiTexts, dmiHardware } from './dmi-hardware.ts';
export { HypervisorFactsError, type HypervisorFactsErrorCode, isUnreadable } from './error.ts';
export { formatVersion } from './format-version.ts';
export type { HostCapabilities, HostCell } from './host-capabilities.ts';
export { type DomainFacts, type HypervisorFacts, hypervisorFacts, type HypervisorSources } from './hypervisor-facts.ts';
export { instances } from './instances.ts';
export {
  type HardwareDescription,
  operatingSystemStatus,
  type OperatingSystemSources,
} from './operating-system-status.ts';
export { readDomainCapabilities } from './read-domain-capabilities.ts';
export { readDomainUse, type ReadDomainUseOptions } from './read-domain-use.ts';
export { type GuestAccount, readGuestAccount } from './read-guest-account.ts';
export { type HostTotals, readHostCapabilities } from './read-host-capabilities.ts';
export { readOsRelease } from './read-os-release.ts';
export { type ResourceSums, sumUp, type SumUpOptions } from './sum-up.ts';
