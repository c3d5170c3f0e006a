const IP_ADDRESS = /^[\d.]+$/;

/** A host name up to its first dot. */
export function shortHostName(name: string): string {
  return IP_ADDRESS.test(name) ? name : (name.split('.', 1)[0] ?? name);
}

/** Whether two names are of the same host: they are equal, or one is the first part of the other, up to the dot. */
export function isSameHostName(one: string, other: string): boolean {
  return one === other || one === shortHostName(other) || shortHostName(one) === other;
}
