import type { ConfigField } from './config-fields.ts';
import type { ConfigSchema } from './config-schema.ts';
import { checkValue, type ConfigValue } from './config-value.ts';
import { suggestion } from './nearest-name.ts';
import { ServiceError } from './service-error.ts';

/** Reads the text of a YAML (or JSON) configuration file into values by path. A key the schema lacks is an error. */
export async function readConfigFile(
  schema: ConfigSchema,
  fields: readonly ConfigField[],
  file: { readonly path: string; readonly text: string },
): Promise<ReadonlyMap<string, ConfigValue>> {
  const content = await parse(file);
  if (content === null || content === undefined) return new Map();
  refuseUnknownKeys(schema, content, file.path, '');
  const values = new Map<string, ConfigValue>();
  for (const field of fields) {
    const value = valueAt(content, field.names);
    if (value === undefined || value === null) continue;
    values.set(field.path, checkValue(field.schema, value, `${file.path}: ${field.path}`));
  }
  return values;
}

async function parse({ path, text }: { readonly path: string; readonly text: string }): Promise<unknown> {
  // Most processes run without a file, and the parser is several MiB.
  const { parse: parseYaml } = await import('yaml');
  try {
    const content: unknown = parseYaml(text, { uniqueKeys: true });
    return content;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError('invalid-config', `${path} is not YAML: ${reason}`, { cause: error });
  }
}

function refuseUnknownKeys(schema: ConfigSchema, content: unknown, path: string, parent: string): void {
  if (!isMapping(content)) {
    throw new ServiceError('invalid-config', `${path}: ${parent === '' ? 'the file' : parent} must be a mapping`);
  }
  for (const [key, value] of Object.entries(content)) {
    const full = parent === '' ? key : `${parent}.${key}`;
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (property === undefined) {
      const hint = suggestion(key, Object.keys(schema.properties));
      throw new ServiceError('invalid-config', `${path}: unknown key "${full}"${hint}`);
    }
    if (property.type === 'object' && value !== null) refuseUnknownKeys(property, value, path, full);
  }
}

function valueAt(content: unknown, names: readonly string[]): unknown {
  let value = content;
  for (const name of names) value = isMapping(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
