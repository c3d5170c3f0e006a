/**
 * The part of JSON Schema that describes a configuration. A schema made with TypeBox fits, and so does the same thing
 * written down as a literal, which costs no memory at run time.
 */
export interface ConfigSchema {
  readonly type: 'object';
  readonly description?: string;
  readonly properties: Readonly<Record<string, ConfigProperty>>;
  readonly required?: readonly string[];
}

export type ConfigProperty = ConfigSchema | ConfigScalar | ConfigList;

export interface ConfigScalar {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly default?: string | number | boolean;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Marks a secret: its value is never printed. */
  readonly writeOnly?: boolean;
}

export interface ConfigList {
  readonly type: 'array';
  readonly description?: string;
  readonly items: ConfigScalar;
  readonly default?: readonly (string | number | boolean)[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly writeOnly?: boolean;
}
