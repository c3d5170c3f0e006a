import type { ConfigList, ConfigScalar, ConfigSchema } from './config-schema.ts';

/** One value of a configuration under the three names it has. */
export interface ConfigField {
  /** In the file: `listen.port`. */
  readonly path: string;
  readonly names: readonly string[];
  /** On the command line, without the dashes: `listen-port`. */
  readonly flag: string;
  /** In the environment: `SMALT_LISTEN_PORT`. */
  readonly variable: string;
  readonly schema: ConfigScalar | ConfigList;
  readonly isRequired: boolean;
}

/** Every value a schema describes, in the order of the schema. */
export function configFields(schema: ConfigSchema, environmentPrefix: string): readonly ConfigField[] {
  return fieldsBelow(schema, [], environmentPrefix);
}

function fieldsBelow(schema: ConfigSchema, parents: readonly string[], prefix: string): readonly ConfigField[] {
  return Object.entries(schema.properties).flatMap(([name, property]) => {
    const names = [...parents, name];
    if (property.type === 'object') return fieldsBelow(property, names, prefix);
    const flag = names.map(toKebabCase).join('-');
    return {
      path: names.join('.'),
      names,
      flag,
      variable: `${prefix}${flag.replaceAll('-', '_').toUpperCase()}`,
      schema: property,
      isRequired: schema.required?.includes(name) ?? false,
    };
  });
}

function toKebabCase(name: string): string {
  return name.replaceAll(
    /[A-Z]+/g,
    (capitals, offset: number) => `${offset === 0 ? '' : '-'}${capitals.toLowerCase()}`,
  );
}
