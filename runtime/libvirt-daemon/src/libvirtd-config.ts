import type { Config } from './render-config.ts';

/** How many clients, requests and threads the daemon allows; what is not given stays at libvirt's default. */
export interface LibvirtdLimits {
  readonly maxClients?: number;
  readonly maxAnonymousClients?: number;
  readonly maxQueuedClients?: number;
  readonly maxClientRequests?: number;
  readonly minWorkers?: number;
  readonly maxWorkers?: number;
  readonly prioWorkers?: number;
}

export interface LibvirtdConfigOptions {
  readonly hostUuid?: string | undefined;
  readonly address?: string | undefined;
  readonly tcpPort?: number | undefined;
  readonly tlsPort?: number | undefined;
  /** Holds cacert.pem, servercert.pem and serverkey.pem. */
  readonly certificateDirectory?: string | undefined;
  readonly sasl?: boolean | undefined;
  readonly limits?: LibvirtdLimits | undefined;
}

/** The settings of libvirtd.conf. Every socket is open to whoever reaches it, except TLS, and TLS with SASL. */
export function libvirtdConfig(options: LibvirtdConfigOptions): Config {
  return {
    ...socketSettings(options),
    ...limitSettings(options.limits ?? {}),
    host_uuid: options.hostUuid,
    log_outputs: '3:file:/var/log/libvirt/libvirtd.log',
  };
}

function socketSettings({ address, tcpPort, tlsPort, certificateDirectory, sasl }: LibvirtdConfigOptions): Config {
  return {
    listen_tcp: tcpPort !== undefined,
    listen_tls: tlsPort !== undefined,
    listen_addr: address,
    tcp_port: tcpPort?.toString(),
    tls_port: tlsPort?.toString(),
    auth_tcp: 'none',
    auth_tls: sasl === true ? 'sasl' : 'none',
    auth_unix_rw: 'none',
    auth_unix_ro: 'none',
    // The daemon makes its sockets reachable for root alone: who may reach the directory must not thereby get root.
    unix_sock_rw_perms: '0700',
    unix_sock_ro_perms: '0700',
    ca_file: certificateDirectory && `${certificateDirectory}/cacert.pem`,
    cert_file: certificateDirectory && `${certificateDirectory}/servercert.pem`,
    key_file: certificateDirectory && `${certificateDirectory}/serverkey.pem`,
  };
}

function limitSettings(limits: LibvirtdLimits): Config {
  return {
    max_clients: limits.maxClients,
    max_anonymous_clients: limits.maxAnonymousClients,
    max_queued_clients: limits.maxQueuedClients,
    max_client_requests: limits.maxClientRequests,
    min_workers: limits.minWorkers,
    max_workers: limits.maxWorkers,
    prio_workers: limits.prioWorkers,
  };
}
