import type { TlsAccess } from './credentials.ts';
import type { TlsConfig } from './kube-config.ts';

/** How a TLS connection to the server is made, in the words of Node. */
export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
}

export function tlsOptions(config: TlsConfig, access: TlsAccess): TlsOptions {
  return {
    rejectUnauthorized: !config.isInsecure,
    ...(access.authority !== undefined && { ca: access.authority }),
    ...(access.certificate !== undefined && { cert: access.certificate }),
    ...(access.key !== undefined && { key: access.key }),
    ...(config.serverName !== undefined && { servername: config.serverName }),
  };
}
