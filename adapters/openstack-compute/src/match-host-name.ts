const IP_ADDRESS = /^[\d.]+$/;

/** Whether two names are of the same host: they are equal, or one is the first part of the other, up to the dot. */
export function isSameHostName(one: string, other: string): boolean {
  return one === other || one === shortHostName(other) || shortHostName(one) === other;
}

/** A host name up to its first dot. */
export function shortHostName(name: string): string {
  return IP_ADDRESS.test(name) ? name : (name.split('.', 1)[0] ?? name);
}

/** Those whose name is exactly this; where there is none, those whose name stands for it. */
export function matchHostName<T>(name: string, hosts: readonly T[], nameOf: (host: T) => string): readonly T[] {
  const equal = hosts.filter((host) => nameOf(host) === name);
  return equal.length > 0 ? equal : hosts.filter((host) => isSameHostName(nameOf(host), name));
}
