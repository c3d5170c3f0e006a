import { tokenCheck } from './authentication.ts';
import type { CloudAddress } from './cloud-address.ts';
import { databaseUrl } from './database-url.ts';
import { loggingValues, type Logging } from './logging.ts';
import { renderIni } from './render-ini.ts';

/** placement.conf of a cloud. */
export function placementConfiguration(address: CloudAddress, password: string, logging: Logging): string {
  return renderIni({
    DEFAULT: { ...loggingValues(logging) },
    placement_database: { connection: databaseUrl('placement'), sync_on_startup: false },
    api: { auth_strategy: 'keystone' },
    keystone_authtoken: tokenCheck(address, password),
  });
}
