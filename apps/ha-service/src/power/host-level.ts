import { expandText } from './expand-text.ts';
import type { HostPowerFacts } from './host-power-facts.ts';
import { matchesHost } from './matches-host.ts';
import type {
  CommandLevel,
  IpmiLevel,
  IronCoreLevel,
  PowerLevel,
  PowerSettings,
  RedfishLevel,
} from './power-settings.ts';

/** A level as it is for one host: no fields are left in its texts, and what is different for this host is in it. */
export type HostLevel = RedfishLevel | IpmiLevel | CommandLevel | IronCoreLevel;

/** The ways to power one host off, the best first. A person is no way: that one is asked when there is none left. */
export function levelsOf(settings: Pick<PowerSettings, 'levels'>, facts: HostPowerFacts): readonly HostLevel[] {
  return settings.levels.flatMap((level) => {
    const isMeant = level.hosts === undefined || level.hosts.some((pattern) => matchesHost(pattern, facts.name));
    const expanded = isMeant ? levelFor(level, facts) : undefined;
    return expanded === undefined ? [] : [expanded];
  });
}

/** Undefined when the host lacks what the level asks for. */
export function levelFor(level: PowerLevel, facts: HostPowerFacts): HostLevel | undefined {
  switch (level.driver) {
    case 'redfish':
      return redfishFor(level, facts);
    case 'ipmi':
      return ipmiFor(level, facts);
    case 'command': {
      const command = expandAll(level.command, facts);
      return command && { ...level, command };
    }
    case 'ironcore': {
      const place = expandFields({ server: level.server, systemUuid: level.systemUuid }, facts);
      return place && { ...level, ...place };
    }
    case 'person':
      return undefined;
  }
}

function redfishFor(level: RedfishLevel, facts: HostPowerFacts): RedfishLevel | undefined {
  const { perHost, ...shared } = level;
  const own = { ...shared, ...ofHost(perHost, facts.name) };
  const { url, systemPath, systemUuid, serverName } = own;
  const place = expandFields({ url, systemPath, systemUuid, serverName }, facts);
  return place && { ...own, ...place };
}

function ipmiFor(level: IpmiLevel, facts: HostPowerFacts): IpmiLevel | undefined {
  const { perHost, ...shared } = level;
  const own = { ...shared, ...ofHost(perHost, facts.name) };
  const place = expandFields({ address: own.address }, facts);
  return place && { ...own, ...place };
}

function ofHost<T>(perHost: Readonly<Record<string, T>> | undefined, host: string): T | undefined {
  return perHost !== undefined && Object.hasOwn(perHost, host) ? perHost[host] : undefined;
}

type Expanded<T> = { [K in keyof T as undefined extends T[K] ? never : K]: string } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: string;
};

/** Fields that are not set are left out. */
function expandFields<T extends Readonly<Record<string, string | undefined>>>(
  fields: T,
  facts: HostPowerFacts,
): Expanded<T> | undefined {
  const expanded: Record<string, string> = {};
  for (const [name, text] of Object.entries(fields)) {
    if (text === undefined) continue;
    const value = expandText(text, facts);
    if (value === undefined) return undefined;
    expanded[name] = value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field that was set is there now
  return expanded as Expanded<T>;
}

function expandAll(texts: readonly string[], facts: HostPowerFacts): readonly string[] | undefined {
  const expanded = texts.map((text) => expandText(text, facts));
  const known = expanded.filter((text) => text !== undefined);
  return known.length === texts.length ? known : undefined;
}
