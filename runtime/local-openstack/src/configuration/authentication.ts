import type { CloudAddress } from './cloud-address.ts';
import { endpointsOf } from './cloud-address.ts';

export const REGION = 'RegionOne';

/** How a service of the cloud logs in at another one. */
export function serviceLogin(address: CloudAddress, password: string): Readonly<Record<string, string>> {
  return {
    auth_type: 'password',
    auth_url: endpointsOf(address).identity,
    username: 'admin',
    password,
    project_name: 'admin',
    user_domain_id: 'default',
    project_domain_id: 'default',
    region_name: REGION,
  };
}

/** How a service checks the tokens of those who call it. */
export function tokenCheck(address: CloudAddress, password: string): Readonly<Record<string, string | number>> {
  return {
    www_authenticate_uri: endpointsOf(address).identity,
    // A token that is revoked lives on this long; the least it takes.
    token_cache_time: 1,
    ...serviceLogin(address, password),
  };
}
