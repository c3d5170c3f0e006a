export { EvictionConditionReason, HIGH_AVAILABILITY_WORDS, HypervisorConditionReason } from './condition-reasons.ts';
export { EvictionConditionType, HypervisorConditionType } from './condition-types.ts';
export type {
  Aggregate,
  AggregateGroup,
  Capabilities,
  Cell,
  DomainCapabilities,
  Eviction,
  EvictionInstance,
  EvictionProgress,
  EvictionSpec,
  EvictionStatus,
  Hypervisor,
  HypervisorGroup,
  HypervisorSpec,
  HypervisorStatus,
  HypervisorUpdateStatus,
  Instance,
  Migration,
  MigrationSpec,
  MigrationStatus,
  OperatingSystemStatus,
  SmokeTest,
  TraitGroup,
} from './generated/objects.gen.ts';
export { evictionKind, hypervisorKind, migrationKind } from './generated/references.gen.ts';
export { getAggregates, getTraits, hasAggregate, hasTrait } from './hypervisor-groups.ts';
export { readFleetDefinitions } from './read-definitions.ts';
export { MaintenanceMode, ResourceName, WellKnownName } from './well-known-names.ts';
