import { CLOUD_PATHS } from '../cloud-paths.ts';
import { serviceLogin, tokenCheck } from './authentication.ts';
import type { CloudAddress } from './cloud-address.ts';
import { endpointsOf } from './cloud-address.ts';
import { databaseUrl } from './database-url.ts';
import { loggingValues, type Logging } from './logging.ts';
import { renderIni } from './render-ini.ts';
import type { IniSections } from './render-ini.ts';

export interface NovaSettings {
  readonly address: CloudAddress;
  readonly password: string;
  /** The module below `nova.virt` and its class. */
  readonly driver: string;
  readonly virtType: 'qemu' | 'kvm';
  /** Whether guests that ran when their host lost its power are started when it is back. */
  readonly resumesGuests: boolean;
  readonly logging: Logging;
  readonly reportSeconds: number;
  readonly downSeconds: number;
  readonly concurrentLiveMigrations: number;
  readonly instancesPath: string;
}

const SERVER_FILTERS = [
  'AvailabilityZoneFilter',
  'ComputeFilter',
  'ComputeCapabilitiesFilter',
  'ImagePropertiesFilter',
  'ServerGroupAntiAffinityFilter',
  'ServerGroupAffinityFilter',
  'AggregateInstanceExtraSpecsFilter',
] as const;

/** nova.conf of a cloud. */
export function novaConfiguration(settings: NovaSettings): string {
  return renderIni({
    ...generalSections(settings),
    ...hypervisorSections(settings),
    ...peerSections(settings),
    ...quietSections(),
  });
}

function generalSections(settings: NovaSettings): IniSections {
  const { address } = settings;
  return {
    DEFAULT: {
      host: 'control',
      my_ip: address.host,
      state_path: `${CLOUD_PATHS.cloud}/nova`,
      // A dollar would begin the name of another option.
      instances_path: settings.instancesPath.replaceAll('$', () => '$$'),
      ...loggingValues(settings.logging),
      transport_url: 'fake:///',
      compute_driver: settings.driver,
      enabled_apis: 'osapi_compute',
      osapi_compute_listen: address.host,
      osapi_compute_listen_port: address.computePort,
      osapi_compute_workers: 1,
      report_interval: settings.reportSeconds,
      service_down_time: settings.downSeconds,
      update_resources_interval: 5,
      sync_power_state_interval: -1,
      resume_guests_state_on_host_boot: settings.resumesGuests,
      heal_instance_info_cache_interval: -1,
      running_deleted_instance_poll_interval: 30,
      rpc_response_timeout: 30,
      max_concurrent_live_migrations: settings.concurrentLiveMigrations,
      // No random wait before the first round of periodic work.
      periodic_fuzzy_delay: 0,
      initial_cpu_allocation_ratio: 4,
      // A network port is never plugged in here, so nobody would tell of it.
      vif_plugging_timeout: 0,
      vif_plugging_is_fatal: false,
      force_raw_images: false,
    },
    api: { auth_strategy: 'keystone', max_limit: 1000 },
    wsgi: { api_paste_config: `${CLOUD_PATHS.configuration}/nova-api-paste.ini` },
    api_database: { connection: databaseUrl('nova_api') },
    database: { connection: databaseUrl('nova') },
    conductor: { workers: 1 },
    scheduler: { workers: 1, discover_hosts_in_cells_interval: -1 },
    filter_scheduler: { enabled_filters: SERVER_FILTERS.join(','), track_instance_changes: false },
  };
}

function hypervisorSections({ virtType }: NovaSettings): IniSections {
  return {
    compute: { live_migration_wait_for_vif_plug: false },
    // Disks as they are: a test may read what a guest has written.
    libvirt: { virt_type: virtType, cpu_mode: 'none', live_migration_scheme: 'tcp', images_type: 'raw' },
  };
}

function peerSections({ address, password }: NovaSettings): IniSections {
  const login = serviceLogin(address, password);
  const endpoints = endpointsOf(address);
  return {
    keystone_authtoken: tokenCheck(address, password),
    placement: { ...login, endpoint_override: endpoints.placement },
    glance: { ...login, endpoint_override: endpoints.image },
    neutron: { ...login, endpoint_override: endpoints.network },
    service_user: { send_service_user_token: false },
  };
}

function quietSections(): IniSections {
  return {
    oslo_concurrency: { lock_path: `${CLOUD_PATHS.cloud}/locks` },
    oslo_messaging_notifications: { driver: 'noop' },
    quota: { instances: -1, cores: -1, ram: -1, server_groups: -1, server_group_members: -1 },
    vnc: { enabled: false },
    spice: { enabled: false },
    cache: { enabled: false },
  };
}

/** The chain of a request. */
export function novaPaste(): string {
  return renderIni({
    'composite:osapi_compute': {
      use: 'call:nova.api.openstack.urlmap:urlmap_factory',
      '/': 'list',
      '/v2.1': 'versions',
      '/v2.1/+': 'api',
    },
    'pipeline:list': { pipeline: 'fault list-application' },
    'pipeline:versions': { pipeline: 'request-id fault versions-application' },
    'composite:api': {
      use: 'call:nova.api.auth:pipeline_factory_v21',
      keystone: 'request-id fault request-log size auth context api-application',
    },
    'app:list-application': { 'paste.app_factory': 'nova.api.openstack.compute.versions:Versions.factory' },
    'app:versions-application': { 'paste.app_factory': 'nova.api.openstack.compute.versions:VersionsV2.factory' },
    'app:api-application': { 'paste.app_factory': 'nova.api.openstack.compute:APIRouterV21.factory' },
    'filter:request-id': filter('nova.api.compute_req_id:ComputeReqIdMiddleware.factory'),
    'filter:fault': filter('nova.api.openstack:FaultWrapper.factory'),
    'filter:request-log': filter('nova.api.openstack.requestlog:RequestLog.factory'),
    'filter:size': filter('oslo_middleware:RequestBodySizeLimiter.factory'),
    'filter:auth': filter('keystonemiddleware.auth_token:filter_factory'),
    'filter:context': filter('nova.api.auth:NovaKeystoneContext.factory'),
  });
}

function filter(factory: string): Readonly<Record<string, string>> {
  return { 'paste.filter_factory': factory };
}
