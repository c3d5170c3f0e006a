import { CLOUD_PATHS } from '../cloud-paths.ts';
import { tokenCheck } from './authentication.ts';
import type { CloudAddress } from './cloud-address.ts';
import { databaseUrl } from './database-url.ts';
import { loggingValues, type Logging } from './logging.ts';
import { renderIni } from './render-ini.ts';

/** glance-api.conf of a cloud. */
export function glanceConfiguration(address: CloudAddress, password: string, logging: Logging): string {
  return renderIni({
    DEFAULT: { ...loggingValues(logging), enabled_backends: 'local:file' },
    database: { connection: databaseUrl('glance') },
    glance_store: { default_backend: 'local' },
    local: store('images'),
    os_glance_staging_store: store('images-staging'),
    os_glance_tasks_store: store('images-tasks'),
    paste_deploy: { flavor: 'keystone', config_file: `${CLOUD_PATHS.configuration}/glance-api-paste.ini` },
    keystone_authtoken: tokenCheck(address, password),
  });
}

function store(name: string): Readonly<Record<string, string>> {
  return { filesystem_store_datadir: `${CLOUD_PATHS.state}/${name}` };
}

/** The chain of a request; Debian's own needs packages that nothing else does. */
export function glancePaste(): string {
  return renderIni({
    'pipeline:glance-api-keystone': { pipeline: 'versions auth context root' },
    'composite:root': { 'paste.composite_factory': 'glance.api:root_app_factory', '/': 'list', '/v2': 'v2' },
    'app:list': { 'paste.app_factory': 'glance.api.versions:create_resource' },
    'app:v2': { 'paste.app_factory': 'glance.api.v2.router:API.factory' },
    'filter:versions': {
      'paste.filter_factory': 'glance.api.middleware.version_negotiation:VersionNegotiationFilter.factory',
    },
    'filter:context': { 'paste.filter_factory': 'glance.api.middleware.context:ContextMiddleware.factory' },
    'filter:auth': {
      'paste.filter_factory': 'keystonemiddleware.auth_token:filter_factory',
      delay_auth_decision: true,
    },
  });
}
