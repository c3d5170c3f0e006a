import { isSameHostName } from '@smalt/compute';

/** Those whose name is exactly this; where there is none, those whose name stands for it. */
export function matchHostName<T>(name: string, hosts: readonly T[], nameOf: (host: T) => string): readonly T[] {
  const equal = hosts.filter((host) => nameOf(host) === name);
  return equal.length > 0 ? equal : hosts.filter((host) => isSameHostName(nameOf(host), name));
}
