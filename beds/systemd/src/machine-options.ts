import { SystemdBedError } from './error.ts';

export interface MachineOptions {
  /** Units by name, as text. One with no text at all is masked. */
  readonly units?: Readonly<Record<string, string>> | undefined;
  /** Files of the machine by their path below /etc, such as `os-release`. */
  readonly etc?: Readonly<Record<string, string>> | undefined;
  /** `machine` unless told. */
  readonly hostname?: string | undefined;
  /** How long logind lets a delay inhibitor hold back a shutdown, 60 s unless told. */
  readonly inhibitDelayMaxSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Refuses options that would put files elsewhere or that systemd would not take. */
export function checkMachineOptions({ units, etc, hostname, inhibitDelayMaxSeconds: seconds }: MachineOptions): void {
  for (const name of Object.keys(units ?? {})) checkUnitName(name);
  for (const path of Object.keys(etc ?? {})) {
    if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(path) || path.split('/').some((part) => /^\.+$/.test(part))) {
      throw new SystemdBedError(
        'invalid-option',
        `etc: "${path}" is not a path below /etc, such as systemd/logind.conf`,
      );
    }
  }
  if (hostname !== undefined && !/^[a-zA-Z\d][a-zA-Z\d.-]{0,63}$/.test(hostname)) {
    throw new SystemdBedError('invalid-option', `hostname: "${hostname}" is not a host name`);
  }
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds > 0)) {
    throw new SystemdBedError('invalid-option', `inhibitDelayMaxSeconds: ${seconds} is not a number of seconds`);
  }
}

/** Refuses what is not the name of a unit file. */
export function checkUnitName(name: string): void {
  if (/^[\w:.\\-]+(?:@[\w:.\\-]*)?\.[a-z]+$/.test(name)) return;
  throw new SystemdBedError('invalid-option', `units: "${name}" is not a unit name, such as web.service`);
}
