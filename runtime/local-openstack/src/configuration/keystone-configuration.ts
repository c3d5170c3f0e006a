import { CLOUD_PATHS } from '../cloud-paths.ts';
import { databaseUrl } from './database-url.ts';
import { loggingValues, type Logging } from './logging.ts';
import { renderIni } from './render-ini.ts';

/** keystone.conf of a cloud whose tokens live that long. */
export function keystoneConfiguration(tokenSeconds: number, logging: Logging): string {
  return renderIni({
    DEFAULT: { ...loggingValues(logging) },
    database: { connection: databaseUrl('keystone') },
    token: { provider: 'fernet', expiration: tokenSeconds, allow_expired_window: 0 },
    fernet_tokens: { key_repository: `${CLOUD_PATHS.state}/fernet` },
    fernet_receipts: { key_repository: `${CLOUD_PATHS.state}/fernet-receipts` },
    credential: { key_repository: `${CLOUD_PATHS.state}/credential` },
    cache: { enabled: true, backend: 'dogpile.cache.memory' },
    // The least bcrypt takes: services log in often, and nobody attacks them here.
    identity: { max_password_length: 72, password_hash_rounds: 4 },
  });
}
