import { forbidden, invalid, type FieldError, type Schema } from '@smalt/resource';

import { checkDefaults } from './check-defaults.ts';
import { costProblem } from './cost-problem.ts';
import { MAX_SCHEMA_COST, rootCosts, type RuleCosts } from './rule-costs.ts';
import { checkOpenApi } from './schema-openapi.ts';
import { unsupportedFields, type SchemaPlace } from './schema-standards.ts';
import { checkInvariants } from './structural-invariants.ts';

const ROOT_FIELDS: readonly (readonly [string, string])[] = [
  ['description', 'Description'],
  ['type', 'Type'],
  ['format', 'Format'],
  ['title', 'Title'],
  ['maximum', 'Maximum'],
  ['exclusiveMaximum', 'ExclusiveMaximum'],
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'ExclusiveMinimum'],
  ['maxLength', 'MaxLength'],
  ['minLength', 'MinLength'],
  ['pattern', 'Pattern'],
  ['maxItems', 'MaxItems'],
  ['minItems', 'MinItems'],
  ['uniqueItems', 'UniqueItems'],
  ['multipleOf', 'MultipleOf'],
  ['required', 'Required'],
  ['items', 'Items'],
  ['properties', 'Properties'],
  ['externalDocs', 'ExternalDocs'],
  ['example', 'Example'],
  ['x-kubernetes-preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['x-kubernetes-validations', 'XValidations'],
];

export interface CheckStructuralOptions {
  /** Where the schema stands in its CustomResourceDefinition. */
  readonly path?: string;
  /** Whether the kind has a status of its own, which restricts what can stand at the root. */
  readonly hasStatus?: boolean;
  /** Whether the same schema was stored before, so that the cost of a rule is no reason to refuse it now. */
  readonly isStored?: boolean;
}

/** All that is wrong with a schema for a CustomResourceDefinition: its shape, its defaults, its rules and what they cost. */
export function checkStructural(schema: Schema, options: CheckStructuralOptions = {}): readonly FieldError[] {
  const { path = 'spec.versions[0].schema.openAPIV3Schema', hasStatus = false, isStored = false } = options;
  const errors = hasStatus ? checkRoot(schema, path) : [];
  if (schema.nullable === true) errors.push(forbidden(`${path}.nullable`, 'nullable cannot be true at the root'));

  const unsupported = findUnsupported(schema);
  const shape = unsupported === undefined ? checkShape(schema, path) : [];
  errors.push(...shape);
  const isSound = unsupported === undefined && shape.length === 0;
  const costs = isSound ? rootCosts(schema, isStored) : undefined;
  const place: SchemaPlace = { path, isRoot: true, noDefault: undefined, isInsideMeta: false, uncorrelated: undefined };
  const findings = checkOpenApi(schema, place, costs);
  errors.push(...findings.schema, ...findings.rules);
  if (errors.length === 0 && unsupported !== undefined) errors.push(invalid(path, '', unsupported));
  return [...errors, ...checkTotal(costs, path)];
}

function checkShape(schema: Schema, path: string): FieldError[] {
  const errors = checkInvariants(schema, path);
  return errors.length > 0 ? errors : checkDefaults(schema, path);
}

function checkRoot(schema: Schema, path: string): FieldError[] {
  if (schema.type !== undefined && schema.type !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, schema.type, detail)];
  }
  const allowed = new Set(ROOT_FIELDS.map(([name]) => name));
  const isAllowed = Object.entries(schema).every(([name, value]) => allowed.has(name) || isZero(value));
  if (isAllowed) return [];
  const names = ROOT_FIELDS.map(([, name]) => name).join(' ');
  const detail = `only [${names}] fields are allowed at the root of the schema if the status subresource is enabled`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is read from JSON and is nothing but JSON
  return [invalid(path, schema as never, detail)];
}

function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return true;
  return Array.isArray(value) && value.length === 0;
}

function findUnsupported(schema: Schema): string | undefined {
  const [own] = unsupportedFields(schema);
  if (own !== undefined) return `OpenAPIV3Schema '${own}' is not supported`;
  const { items, additionalProperties, not } = schema;
  if (Array.isArray(items)) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  const parts: (Schema | undefined)[] = [items, not, ...Object.values(schema.properties ?? {})];
  parts.push(...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []));
  if (typeof additionalProperties === 'object') parts.push(additionalProperties);
  for (const part of parts) {
    const problem = part === undefined ? undefined : findUnsupported(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkTotal(costs: RuleCosts | undefined, path: string): FieldError[] {
  if (costs === undefined || costs.total.total <= MAX_SCHEMA_COST) return [];
  const detail = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
  const name = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
  return [
    ...costs.total.mostExpensive.map((rule) => forbidden(rule, detail)),
    forbidden(path, costProblem(name, costs.total.total, MAX_SCHEMA_COST)),
  ];
}
