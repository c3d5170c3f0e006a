import type { HostLevel } from './host-level.ts';

/** Ports of power controllers that nobody has to name. */
const DEFAULT_PORTS: ReadonlySet<string> = new Set(['', '443', '623']);

/** What a host says that its power is switched by. */
export interface NamedSwitch {
  /** The same for all names of one controller that can be told to be such: with and without a port, in capital letters or not. */
  readonly address: string;
  /** Which of the systems of that controller it is, where it is said. */
  readonly systemPath?: string | undefined;
  readonly systemUuid?: string | undefined;
}

/** The switch that a level goes to. */
export function switchOf(level: HostLevel): NamedSwitch {
  switch (level.driver) {
    case 'redfish': {
      const { url, systemPath, systemUuid } = level;
      return {
        address: controllerAddress(url),
        systemPath: systemPath?.replace(/\/+$/v, ''),
        systemUuid: systemUuid?.toLowerCase(),
      };
    }
    case 'ipmi': {
      const host = level.address.includes(':') && !level.address.startsWith('[') ? `[${level.address}]` : level.address;
      return { address: controllerAddress(`https://${host}:${level.port ?? 443}`) };
    }
    case 'command':
      return { address: `command ${JSON.stringify([level.command, level.environment, level.environmentFiles])}` };
    case 'ironcore':
      return { address: `ironcore ${level.server}` };
  }
}

/** Whether who switches the one may switch the other. */
export function isSameSwitch(one: NamedSwitch, other: NamedSwitch): boolean {
  if (one.address !== other.address) return false;
  return !areTwo(one.systemPath, other.systemPath) && !areTwo(one.systemUuid, other.systemUuid);
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
