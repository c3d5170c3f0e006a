/** An address to listen on; without a host it is every address of the machine. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Reads `:8443`, `127.0.0.1:8443` or `[::1]:8443`, whose form the settings have checked. */
export function listenAddress(text: string): ListenAddress {
  const end = text.lastIndexOf(':');
  const host = text.slice(0, end).replace(/^\[|\]$/g, '');
  return { host: host === '' ? '::' : host, port: Number(text.slice(end + 1)) };
}
