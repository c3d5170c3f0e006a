import { CLOUD_PATHS } from '../cloud-paths.ts';

/** One for each schema. */
export const DATABASES = ['keystone', 'placement', 'glance', 'nova_api', 'nova', 'nova_cell0'] as const;

/** How SQLAlchemy reaches a database of the cloud. */
export function databaseUrl(database: (typeof DATABASES)[number]): string {
  return `mysql+pymysql://root@localhost/${database}?unix_socket=${CLOUD_PATHS.databaseSocket}&charset=utf8`;
}
