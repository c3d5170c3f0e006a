import type { HostLevel } from './host-level.ts';

/** Ports of power controllers that nobody has to name. */
const DEFAULT_PORTS: ReadonlySet<string> = new Set(['', '443', '623']);

/** What a host says that its power is switched by. */
export interface NamedSwitch {
  readonly driver: HostLevel['driver'];
  /** The same for all names of one controller that can be told to be such: with and without a port, in capital letters or not. */
  readonly address: string;
  /** Which of the systems of that controller it is, where it is said. */
  readonly systemPath?: string | undefined;
  readonly systemUuid?: string | undefined;
}

/** The switch that a level goes to. */
export function switchOf(level: HostLevel): NamedSwitch {
  const { driver } = level;
  switch (level.driver) {
    case 'redfish': {
      const { url, systemPath, systemUuid } = level;
      return {
        driver,
        address: controllerAddress(url),
        systemPath: systemPath?.replace(/\/+$/v, ''),
        systemUuid: systemUuid?.toLowerCase(),
      };
    }
    case 'ipmi': {
      const host = level.address.includes(':') && !level.address.startsWith('[') ? `[${level.address}]` : level.address;
      return { driver, address: controllerAddress(`https://${host}:${level.port ?? 443}`) };
    }
    case 'command':
      return {
        driver,
        address: `command ${JSON.stringify([level.command, level.environment, level.environmentFiles])}`,
      };
    case 'ironcore':
      return { driver, address: `ironcore ${level.server}` };
  }
}

/**
 * Whether a switch may be the one that another host calls its own. One with a UUID reaches that system alone, whatever another
 * driver reaches at its address; one of its own driver without works only where there is one system, so both mean the same.
 */
export function isDisputedBy(own: NamedSwitch, other: NamedSwitch): boolean {
  if (own.address !== other.address) return false;
  if (areTwo(own.systemPath, other.systemPath) || areTwo(own.systemUuid, other.systemUuid)) return false;
  return own.systemUuid === undefined || other.systemUuid !== undefined || own.driver === other.driver;
}

function areTwo(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function controllerAddress(url: string): string {
  if (!URL.canParse(url)) return url.toLowerCase();
  const { hostname, port, pathname } = new URL(url);
  const host = hostname.replace(/\.$/v, '');
  const path = pathname.replace(/\/$/v, '');
  return `${host}${DEFAULT_PORTS.has(port) ? '' : `:${port}`}${path}`;
}
