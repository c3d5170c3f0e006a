import { CLOUD_PATHS } from './cloud-paths.ts';
import type { NovaSettings } from './configuration/nova-configuration.ts';

/** Nova's own driver of libvirt, several of it in one process. */
export const LIBVIRT_DRIVER = 'local_libvirt.LocalLibvirtDriver';

/** What may be chosen of a cloud's configuration. */
export type CloudSettings = Omit<NovaSettings, 'address' | 'password'> & { readonly tokenSeconds: number };

/** What a cloud is like unless somebody wants it otherwise. */
export const DEFAULT_SETTINGS: CloudSettings = {
  driver: LIBVIRT_DRIVER,
  virtType: 'qemu',
  resumesGuests: false,
  logging: 'all',
  tokenSeconds: 3600,
  reportSeconds: 1,
  downSeconds: 8,
  concurrentLiveMigrations: 1,
  instancesPath: `${CLOUD_PATHS.cloud}/nova/instances`,
};
