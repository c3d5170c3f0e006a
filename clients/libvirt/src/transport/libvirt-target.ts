/** Where a daemon listens, and how the way there is protected. */
export type LibvirtEndpoint =
  | {
      readonly kind: 'unix';
      /** Tried in this order; the first one that exists is taken. */
      readonly socketPaths: readonly string[];
    }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | {
      readonly kind: 'tls';
      readonly host: string;
      readonly port: number;
      /** The folder of the certificate files, when the URI names one. */
      readonly pkiPath?: string;
      /** Whether the certificate of the daemon is checked. */
      readonly verify: boolean;
    };

/** What a libvirt URI says: which daemon to reach, and what to ask of it. */
export interface LibvirtTarget {
  readonly endpoint: LibvirtEndpoint;
  /** What the daemon opens, such as `qemu:///system`. Empty: the daemon chooses. */
  readonly driverUri: string;
  /** The user name in the URI. */
  readonly username?: string;
  /** The kind of authentication the URI asks for: `sasl`, `sasl.MECHANISM` or `polkit`. */
  readonly auth?: string;
}

/** The address in a form a person recognises: `tcp 10.0.0.1:16509`, `unix /run/libvirt/libvirt-sock`. */
export function describeEndpoint(endpoint: LibvirtEndpoint): string {
  if (endpoint.kind === 'unix') return `unix ${endpoint.socketPaths.join(' or ')}`;
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host;
  return `${endpoint.kind} ${host}:${endpoint.port}`;
}
