import { isVariant, type DBusValue } from '@smalt/dbus';

import type { HostDescription } from '../host-description.ts';
import { SystemdError } from '../systemd-error.ts';

const TEXTS = {
  hostname: 'Hostname',
  kernelName: 'KernelName',
  kernelRelease: 'KernelRelease',
  kernelVersion: 'KernelVersion',
  operatingSystemPrettyName: 'OperatingSystemPrettyName',
  hardwareVendor: 'HardwareVendor',
  hardwareModel: 'HardwareModel',
  hardwareSerial: 'HardwareSerial',
  firmwareVersion: 'FirmwareVersion',
  firmwareVendor: 'FirmwareVendor',
} as const;

/** The end of time as JavaScript has it; systemd says 2⁶⁴ - 1 for a time that it does not know. */
const MAX_MILLISECONDS = 8.64e15;

/** What the method `Describe` answered: JSON, in which what is not known is null. */
export function parseHostJson(text: DBusValue | undefined): HostDescription {
  const fields = typeof text === 'string' ? parseObject(text) : undefined;
  if (!fields) throw new SystemdError('bad-answer', 'hostnamed described the machine by what is no JSON object');
  return describe((name) => fields.get(name));
}

/** The properties of older versions: the same names, in which what is not known is empty. */
export function readHostProperties(properties: DBusValue | undefined): HostDescription {
  if (!(properties instanceof Map)) throw new SystemdError('bad-answer', 'hostnamed has no properties');
  const all: ReadonlyMap<unknown, DBusValue> = properties;
  return describe((name) => {
    const property = all.get(name);
    return property !== undefined && isVariant(property) ? property.value : undefined;
  });
}

function parseObject(text: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

function describe(find: (name: string) => unknown): HostDescription {
  const texts = Object.entries(TEXTS).flatMap(([field, name]) => {
    const value = find(name);
    return typeof value === 'string' && value !== '' ? [[field, value] as const] : [];
  });
  const date = dateOf(find('FirmwareDate'));
  return { ...Object.fromEntries(texts), ...(date === undefined ? {} : { firmwareDate: date }) };
}

function dateOf(microseconds: unknown): string | undefined {
  const milliseconds = Math.floor(Number(microseconds ?? Number.NaN) / 1000);
  if (!(milliseconds > 0 && milliseconds <= MAX_MILLISECONDS)) return undefined;
  return new Date(milliseconds).toISOString();
}
