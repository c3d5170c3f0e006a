/** How hosts are powered off, and what is done once one is. */
export interface PowerSettings {
  /** The ways to power a host off, the best first. A host has those that are meant for it and whose address is known. */
  readonly levels: readonly PowerLevel[];
  /** Programs that clear away what a dead host holds in the network; all are run, in order. */
  readonly cleanUp: readonly CleanUpProgram[];
  readonly check: PowerCheckSettings;
}

export type PowerLevel = RedfishLevel | IpmiLevel | CommandLevel | IronCoreLevel | PersonLevel;

interface LevelBase {
  /** Names the level in records, metrics and incidents; unique. */
  readonly name: string;
  /** Names of hosts, with `*` for any characters; all hosts if it is left out. */
  readonly hosts?: readonly string[];
}

/**
 * Texts that differ by host hold `{host}`, `{address}` (what the Hypervisor object says of its controller) or
 * `{label:KEY}`. A host that lacks what a text asks for does not have the level.
 */
export interface RedfishLevel extends LevelBase, RedfishPlace {
  readonly driver: 'redfish';
  readonly user: string;
  readonly passwordFile: string;
  readonly authentication?: 'session' | 'basic';
  readonly authorityFile?: string;
  readonly timeoutMs?: number;
  /** What is different for single hosts, by their names. */
  readonly perHost?: Readonly<Record<string, Partial<RedfishPlace & PerHostAccount>>>;
}

export interface RedfishPlace {
  /** Such as `https://{host}.bmc.example`. */
  readonly url: string;
  readonly systemPath?: string;
  readonly systemUuid?: string;
  readonly serverName?: string;
}

export interface IpmiLevel extends LevelBase, IpmiPlace {
  readonly driver: 'ipmi';
  readonly user: string;
  readonly passwordFile: string;
  readonly cipherSuite?: number;
  readonly privilege?: 'operator' | 'administrator';
  readonly program?: string;
  readonly timeoutMs?: number;
  readonly perHost?: Readonly<Record<string, Partial<IpmiPlace & PerHostAccount>>>;
}

export interface IpmiPlace {
  /** Such as `{host}.bmc.example` or `{address}`. */
  readonly address: string;
  readonly port?: number;
}

export interface PerHostAccount {
  readonly user: string;
  readonly passwordFile: string;
}

export interface CommandLevel extends LevelBase {
  readonly driver: 'command';
  /** The program by its full path, and its arguments, such as `{host}`; `status`, `off` or `on` is added. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Variables whose values are secrets, by the files that hold them. */
  readonly environmentFiles?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface IronCoreLevel extends LevelBase {
  readonly driver: 'ironcore';
  /** The name of the host's Server object, such as `{host}`. */
  readonly server: string;
  /** Where ServerMaintenance objects are made. */
  readonly namespace: string;
  /** The Server has to have this UUID, if it is given: `{label:…}`. */
  readonly systemUuid?: string;
  /** How it is asked: a ServerMaintenance, or, where that kind is gone, by parking the Server. `maintenance` if left out. */
  readonly order?: 'maintenance' | 'park';
  readonly timeoutMs?: number;
}

/** No way at all: the incident waits for a person who confirms that the host is off. */
export interface PersonLevel extends LevelBase {
  readonly driver: 'person';
}

export interface CleanUpProgram {
  readonly name: string;
  /** The program by its full path, and its arguments; `{host}` is the host. No shell reads them. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** 30 s if it is left out. */
  readonly timeoutMs?: number;
}

/** The readings in peace time: a controller that cannot be reached is found before its host dies. */
export interface PowerCheckSettings {
  /** How long one round over all hosts takes; 0 for none. */
  readonly intervalMs: number;
  /** How many controllers are asked at a time. */
  readonly concurrency: number;
}

export const defaultPowerSettings: PowerSettings = {
  levels: [],
  cleanUp: [],
  check: { intervalMs: 600_000, concurrency: 8 },
};
