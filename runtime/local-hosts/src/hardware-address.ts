/** The hardware address of a host, made from its address: one that comes back is found where its neighbours last saw it. */
export function hardwareAddress(address: string): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return ['02', '5a', ...bytes].join(':');
}
