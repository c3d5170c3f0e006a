export interface LibvirtdAddress {
  readonly drivers: 'all' | 'test';
  readonly address: string;
  readonly port: number | undefined;
  readonly tlsPort: number | undefined;
}

/** What a libvirt client connects to: by TCP, else by TLS, else by the socket. */
export function libvirtUri(where: LibvirtdAddress, socketPath: string): string {
  const [driver, path] = where.drivers === 'test' ? ['test', '/default'] : ['qemu', '/system'];
  const host = where.address.includes(':') ? `[${where.address}]` : where.address;
  if (where.port !== undefined) return `${driver}+tcp://${host}:${where.port}${path}`;
  if (where.tlsPort !== undefined) return `${driver}+tls://${host}:${where.tlsPort}${path}`;
  return `${driver}+unix://${path}?socket=${encodeURIComponent(socketPath)}`;
}
