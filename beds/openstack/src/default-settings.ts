import { CLOUD_PATHS } from './cloud-paths.ts';
import type { NovaSettings } from './configuration/nova-configuration.ts';

/** What a test may choose of a cloud's configuration. */
export type CloudSettings = Omit<NovaSettings, 'address' | 'password'> & { readonly tokenSeconds: number };

/** What a cloud is like unless a test wants it otherwise. */
export const DEFAULT_SETTINGS: CloudSettings = {
  driver: 'fake',
  tokenSeconds: 3600,
  reportSeconds: 1,
  downSeconds: 8,
  concurrentLiveMigrations: 1,
  instancesPath: `${CLOUD_PATHS.cloud}/nova/instances`,
};
