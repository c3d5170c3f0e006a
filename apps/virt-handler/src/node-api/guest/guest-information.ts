import type { JsonObject } from '@smalt/json';
import type { LibvirtSession } from '@smalt/libvirt';

/** What libvirt tells of what the agent of a guest said: fields such as `user.0.name`. */
export type GuestInformation = Awaited<ReturnType<LibvirtSession['domainGetGuestInfo']>>;

/** A guest decides what it says, so also how much: more than this is left out. */
const MOST_ITEMS = 1_000;

/** Who is logged in, as the API tells it. */
export function usersOf(information: GuestInformation): readonly JsonObject[] {
  return indexes(information['user.count']).map((index) => ({
    userName: information[`user.${index}.name`] ?? '',
    ...optional('domain', information[`user.${index}.domain`]),
    loginTime: Number(information[`user.${index}.login-time`] ?? 0n) / 1_000,
  }));
}

/** What is mounted, as the API tells it. */
export function fileSystemsOf(information: GuestInformation): readonly JsonObject[] {
  return indexes(information['fs.count']).map((index) => ({
    diskName: information[`fs.${index}.name`] ?? '',
    mountPoint: information[`fs.${index}.mountpoint`] ?? '',
    fileSystemType: information[`fs.${index}.fstype`] ?? '',
    usedBytes: Number(information[`fs.${index}.used-bytes`] ?? 0n),
    totalBytes: Number(information[`fs.${index}.total-bytes`] ?? 0n),
    disk: indexes(information[`fs.${index}.disk.count`]).map((disk) => ({
      ...optional('serial', information[`fs.${index}.disk.${disk}.serial`]),
      ...optional('device', information[`fs.${index}.disk.${disk}.device`]),
    })),
  }));
}

/** The host name, time zone and operating system, as the API tells them. */
export function guestOsOf(information: GuestInformation): JsonObject {
  const zone = information['timezone.name'];
  return {
    ...optional('hostname', information.hostname),
    os: {
      ...optional('name', information['os.name']),
      ...optional('kernelRelease', information['os.kernel-release']),
      ...optional('version', information['os.version']),
      ...optional('prettyName', information['os.pretty-name']),
      ...optional('versionId', information['os.version-id']),
      ...optional('kernelVersion', information['os.kernel-version']),
      ...optional('machine', information['os.machine']),
      ...optional('id', information['os.id']),
    },
    ...optional('timezone', zone === undefined ? undefined : `${zone}, ${information['timezone.offset'] ?? 0}`),
  };
}

function indexes(count: number | undefined): readonly number[] {
  return Array.from({ length: Math.min(count ?? 0, MOST_ITEMS) }, (_, index) => index);
}

function optional(name: string, value: string | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}
