export type { Clock } from './clock.ts';
export type {
  CloudConfig,
  CloudIdentity,
  CloudScope,
  CloudTls,
  DomainReference,
  EndpointInterface,
  OwnedReference,
  ServiceName,
} from './cloud-config.ts';
export type { Aggregate, Aggregates, NewAggregate } from './compute/aggregates.ts';
export type { Compute } from './compute/compute.ts';
export type { Flavor, Flavors } from './compute/flavors.ts';
export type {
  ComputeHypervisor,
  ComputeHypervisors,
  HypervisorFindOptions,
  HypervisorListOptions,
  HypervisorServer,
  HypervisorSummary,
} from './compute/hypervisors.ts';
export type { Migration, MigrationFilter, MigrationProgress, Migrations } from './compute/migrations.ts';
export type { BootSource, NewServer } from './compute/new-server.ts';
export type {
  ColdMigrateOptions,
  ConsoleOptions,
  EvacuateOptions,
  LiveMigrateOptions,
  LockOptions,
  ServerAction,
  ServerActions,
} from './compute/server-actions.ts';
export type { Server, ServerFault, ServerFlavor } from './compute/server.ts';
export type { ServerFilter, ServerName, Servers, ServerSearchOptions } from './compute/servers.ts';
export type {
  ComputeService,
  ComputeServices,
  ServiceChange,
  ServiceFilter,
  ServiceListing,
} from './compute/services.ts';
export type { Exchange } from './exchanges.ts';
export type { Image, ImageFilter, Images } from './images.ts';
export type { Listing } from './listing.ts';
export { loadCloudConfig, type LoadCloudOptions } from './load-cloud-config.ts';
export type { Microversion, VersionSpan } from './microversion.ts';
export type { Network, NetworkFilter, Networks } from './networks.ts';
export { OpenStackClient, type CloudUser, type OpenStackClientOptions } from './openstack-client.ts';
export {
  isConcurrentUpdate,
  isConflict,
  isFateUnknown,
  isInUse,
  isNotFound,
  isOpenStackError,
  isPassing,
  OpenStackError,
  type OpenStackErrorCode,
} from './openstack-error.ts';
export type {
  AllocationCandidate,
  AllocationCandidates,
  Allocations,
  CandidateFilter,
  ConsumerAllocations,
  NewAllocations,
} from './placement/allocations.ts';
export type { Placement } from './placement/placement.ts';
export type {
  Inventory,
  ProviderAllocations,
  ProviderFilter,
  ProviderInventories,
  ProviderTraits,
  ProviderUsages,
  ResourceProvider,
  ResourceProviders,
} from './placement/resource-providers.ts';
export { Secret } from '@smalt/secret';
export type { CallOptions, ListOptions } from './service-client.ts';
export type { NewVolume, Volume, VolumeFilter, Volumes, VolumeType } from './volumes.ts';
