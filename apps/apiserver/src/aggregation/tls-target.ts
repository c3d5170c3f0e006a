/** A server that requests are passed on to, and what both sides show of themselves. */
export interface TlsTarget {
  readonly host: string;
  readonly port: number;
  /** The name in the certificate of the server. */
  readonly serverName: string;
  /** In PEM form; whose signature the certificate of the server must bear. */
  readonly ca: string | undefined;
  /** Whether any certificate will do. */
  readonly isInsecure: boolean;
  /** Our own certificate and its key, in PEM form. */
  readonly cert: string;
  readonly key: string;
}

/** The target as the TLS stack wants it. */
export function tlsOptions(target: TlsTarget): {
  readonly host: string;
  readonly port: number;
  readonly servername: string;
  readonly rejectUnauthorized: boolean;
  readonly cert: string;
  readonly key: string;
  readonly ca?: string;
} {
  const { host, port, serverName, ca, isInsecure, cert, key } = target;
  // An address is no name that could be asked for, but is checked against the certificate all the same.
  const servername = /^[\d.]+$|:/.test(serverName) ? '' : serverName;
  return { host, port, servername, rejectUnauthorized: !isInsecure, cert, key, ...(ca === undefined ? {} : { ca }) };
}
