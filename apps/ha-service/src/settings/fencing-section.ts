import {
  defaultPowerSettings as defaults,
  type CleanUpProgram,
  type CommandLevel,
  type IpmiLevel,
  type IpmiPlace,
  type IronCoreLevel,
  type PerHostAccount,
  type PersonLevel,
  type PowerCheckSettings,
  type PowerLevel,
  type PowerSettings,
  type RedfishLevel,
  type RedfishPlace,
} from '../power/power-settings.ts';
import { list, named } from './shape/list-shapes.ts';
import { section } from './shape/object-shape.ts';
import { choice, file, text, whole } from './shape/scalar-shapes.ts';
import { optional, type OptionalShape, type Shape } from './shape/shape.ts';
import { variant } from './shape/variant-shape.ts';

const name = text('names the level in records and metrics');
const hosts = optional(list('for which hosts, with * for any characters; all if it is left out', text('a name')));
const timeoutMs: OptionalShape<number> = optional(whole('how long one call may take, in ms', { least: 100 }));
const user = text('the account at the controller');
const passwordFile = file('a file with its password, read anew for each session');
const url = text('where the controller is, such as https://{host}.bmc.example', {
  pattern: /^https:\/\//,
  what: 'an https address',
});
const systemPath = optional(text('the path of the system, where the controller has several'));
const systemUuid = optional(text('the UUID that the system has to have'));
const serverName = optional(text('the name in its certificate, where it is not that of the address'));
const address = text('where the controller is, such as {host}.bmc.example or {address}');
const port = optional(whole('its UDP port', { least: 1, most: 65_535 }));

const redfish: Shape<RedfishLevel> = section('a management controller that speaks Redfish', {
  driver: choice(['redfish'], 'Redfish over HTTPS'),
  name,
  hosts,
  url,
  user,
  passwordFile,
  systemPath,
  systemUuid,
  serverName,
  authentication: optional(choice(['session', 'basic'], 'how it logs in')),
  authorityFile: optional(file('who signs the certificates of controllers, in PEM')),
  timeoutMs,
  perHost: optional(
    named(
      'what is different for single hosts',
      section<Partial<RedfishPlace & PerHostAccount>>('one host', {
        url: optional(url),
        systemPath,
        systemUuid,
        serverName,
        user: optional(user),
        passwordFile: optional(passwordFile),
      }),
    ),
  ),
});

const ipmi: Shape<IpmiLevel> = section('a management controller that speaks IPMI', {
  driver: choice(['ipmi'], 'IPMI, by ipmitool'),
  name,
  hosts,
  address,
  port,
  user,
  passwordFile,
  cipherSuite: optional(whole('the cipher suite', { least: 0, most: 20 })),
  privilege: optional(choice(['operator', 'administrator'], 'the level of the session')),
  program: optional(file('where ipmitool is')),
  timeoutMs,
  perHost: optional(
    named(
      'what is different for single hosts',
      section<Partial<IpmiPlace & PerHostAccount>>('one host', {
        address: optional(address),
        port,
        user: optional(user),
        passwordFile: optional(passwordFile),
      }),
    ),
  ),
});

const command: Shape<CommandLevel> = section('a program of yours', {
  driver: choice(['command'], 'a program; no shell reads its arguments'),
  name,
  hosts,
  command: list('the program by its full path, and its arguments', text('a word'), { least: 1 }),
  environment: optional(named('variables for it', text('a value'))),
  environmentFiles: optional(named('variables whose values are secrets, by the files that hold them', file('a file'))),
  timeoutMs,
});

const ironcore: Shape<IronCoreLevel> = section('the metal-operator of IronCore', {
  driver: choice(['ironcore'], 'a ServerMaintenance object'),
  name,
  hosts,
  server: text("the name of the host's Server object, such as {host}"),
  namespace: text('where ServerMaintenance objects are made'),
  systemUuid: optional(text('the UUID that the Server has to have')),
  order: optional(choice(['maintenance', 'park'], 'how it is asked to power off')),
  timeoutMs,
});

const person: Shape<PersonLevel> = section('no machine can do it', {
  driver: choice(['person'], 'the incident waits for a confirmation'),
  name,
  hosts,
});

const cleanUp: Shape<CleanUpProgram> = section('a program that clears away what a dead host holds', {
  name: text('names it in the journal'),
  command: list('the program by its full path, and its arguments; {host} is the host', text('a word'), { least: 1 }),
  environment: optional(named('variables for it', text('a value'))),
  timeoutMs,
});

const check: Shape<PowerCheckSettings> = section('readings in peace time', {
  intervalMs: whole('how long one round over all hosts takes, in ms; 0 for none', {
    fallback: defaults.check.intervalMs,
  }),
  concurrency: whole('how many controllers are asked at a time', { fallback: defaults.check.concurrency, least: 1 }),
});

const level: Shape<PowerLevel> = variant<PowerLevel>('a way to power hosts off', 'driver', {
  redfish,
  ipmi,
  command,
  ironcore,
  person,
});

export const fencingSection: Shape<PowerSettings> = section('how hosts are powered off', {
  levels: list('the ways, the best first', level),
  cleanUp: list('programs that are run once a host is off', cleanUp),
  check,
});
