/** Where a cloud finds its parts. Inside its namespaces they are the same for every cloud, and on a tmpfs. */
export const CLOUD_PATHS = {
  cloud: '/run/cloud',
  configuration: '/run/cloud/etc',
  logs: '/run/cloud/log',
  /** Databases, keys and images: what the template of a cloud consists of. */
  state: '/run/cloud/state',
  databaseSocket: '/run/cloud/database.sock',
  controlSocket: '/run/cloud/control.sock',
  software: '/run/software',
} as const;
