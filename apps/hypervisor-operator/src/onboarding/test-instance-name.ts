import type { TestInstance } from '@smalt/compute';

const LONGEST_HOST_NAME = 63;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/iv;

/** What the names of all test instances of one host begin with; those of other hosts may begin so, too. */
export function testInstancePrefix(namePrefix: string, hostName: string): string {
  return `${namePrefix}-${hostName}-`;
}

/** The name of the test instance of one Hypervisor. */
export function testInstanceName(namePrefix: string, hostName: string, uid: string): string {
  return `${testInstancePrefix(namePrefix, hostName)}${uid}`;
}

/** What a guest is called that was given this name: a host name has no dots, and at most 63 characters. */
export function guestHostName(name: string): string {
  return name
    .slice(0, LONGEST_HOST_NAME)
    .replaceAll(/[ _.]/gv, '-')
    .replaceAll(/[^a-zA-Z0-9\-]/gv, '')
    .toLowerCase()
    .replaceAll(/^-+|-+$/gv, '');
}

/** Those of the instances that were made to test exactly this host, for this Hypervisor or an earlier one of its name. */
export function testInstancesOf<T extends Pick<TestInstance, 'name'>>(
  instances: readonly T[],
  prefix: string,
): readonly T[] {
  return instances.filter(({ name }) => name.startsWith(prefix) && UUID.test(name.slice(prefix.length)));
}
