import { readFile } from 'node:fs/promises';

import type { XStatic } from 'typebox/schema';

import { configFields, type ConfigField } from './config-fields.ts';
import { configHelp } from './config-help.ts';
import type { ConfigSchema } from './config-schema.ts';
import { readTextValue, type ConfigValue } from './config-value.ts';
import { suggestion } from './nearest-name.ts';
import { parseFlags } from './parse-flags.ts';
import { readConfigFile } from './read-config-file.ts';
import { ServiceError } from './service-error.ts';

export interface ConfigSources {
  readonly programName: string;
  /** The words after the program's name. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Such as `SMALT_APISERVER_`. A variable that begins so and is not known is an error. */
  readonly environmentPrefix: string;
}

export type LoadedConfig<T> =
  | { readonly kind: 'config'; readonly config: T }
  | { readonly kind: 'help'; readonly text: string };

/**
 * Reads a configuration from flags, environment and file, in this order of precedence, then defaults. Whatever is
 * unknown, malformed or missing is an error that says where it stands; a secret's value is in no message.
 */
export async function loadConfig<const T extends ConfigSchema>(
  schema: T,
  sources: ConfigSources,
): Promise<LoadedConfig<XStatic<T>>> {
  const fields = configFields(schema, sources.environmentPrefix);
  const flags = parseFlags(fields, sources.arguments);
  if (flags.isHelp) return { kind: 'help', text: configHelp(sources.programName, schema.description ?? '', fields) };

  refuseUnknownVariables(fields, sources);
  const path = flags.file ?? sources.environment[`${sources.environmentPrefix}CONFIG`];
  const fromFile = path === undefined ? undefined : await readConfigFile(schema, fields, await readText(path));
  const values = new Map<string, ConfigValue>();
  for (const field of fields) {
    const value = valueOf(field, flags.texts, sources.environment) ?? fromFile?.get(field.path) ?? field.schema.default;
    if (value !== undefined) values.set(field.path, value);
  }
  const lacking = fields.find((field) => field.isRequired && !values.has(field.path));
  if (lacking !== undefined) throw missing(lacking);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every value was checked against the same schema
  return { kind: 'config', config: build(schema, values, '') as XStatic<T> };
}

/** A configuration as a log may show it: with `[redacted]` in the place of each secret. */
export function redactConfig(schema: ConfigSchema, config: unknown): unknown {
  if (typeof config !== 'object' || config === null) return config;
  return Object.fromEntries(
    Object.entries(config).map(([name, value]: [string, unknown]) => {
      const property = schema.properties[name];
      if (property === undefined) return [name, '[redacted]'];
      if (property.type === 'object') return [name, redactConfig(property, value)];
      return [name, property.writeOnly === true ? '[redacted]' : value];
    }),
  );
}

function valueOf(
  field: ConfigField,
  flags: ReadonlyMap<string, string>,
  environment: ConfigSources['environment'],
): ConfigValue | undefined {
  const flag = flags.get(field.path);
  if (flag !== undefined) return readTextValue(field.schema, flag, `--${field.flag}`);
  const variable = environment[field.variable];
  return variable === undefined ? undefined : readTextValue(field.schema, variable, field.variable);
}

function refuseUnknownVariables(fields: readonly ConfigField[], sources: ConfigSources): void {
  const { environment, environmentPrefix } = sources;
  if (environmentPrefix === '') return;
  const known = new Set([...fields.map(({ variable }) => variable), `${environmentPrefix}CONFIG`]);
  for (const name of Object.keys(environment)) {
    if (!name.startsWith(environmentPrefix) || known.has(name)) continue;
    throw new ServiceError('invalid-config', `unknown environment variable ${name}${suggestion(name, known)}`);
  }
}

async function readText(path: string): Promise<{ readonly path: string; readonly text: string }> {
  try {
    return { path, text: await readFile(path, 'utf8') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError('unreadable-config', `the configuration file cannot be read: ${reason}`, { cause: error });
  }
}

function missing(field: ConfigField): ServiceError {
  const places = `--${field.flag}, ${field.variable} or "${field.path}" in the configuration file`;
  return new ServiceError('invalid-config', `${field.path} is required: give ${places}`);
}

function build(schema: ConfigSchema, values: ReadonlyMap<string, ConfigValue>, parent: string): unknown {
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, property]) => {
      const path = parent === '' ? name : `${parent}.${name}`;
      if (property.type === 'object') return [[name, build(property, values, path)]];
      const value = values.get(path);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
