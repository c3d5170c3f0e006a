import { required, type FieldError, type Schema } from '@smalt/resource';

/** What an alternative speaks of must be there outside of it, too: only there it gets its type. */
export function checkCompleteness(schema: Schema, path: string): FieldError[] {
  return checkAlternatives(schema, schema, path, path);
}

function checkAlternatives(rules: Schema, schema: Schema, path: string, rulesPath: string): FieldError[] {
  const errors: FieldError[] = [];
  if (rules.not !== undefined) errors.push(...checkPart(rules.not, schema, path, `${rulesPath}.not`));
  for (const name of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, part] of (rules[name] ?? []).entries()) {
      errors.push(...checkPart(part, schema, path, `${rulesPath}.${name}[${index}]`));
    }
  }
  return errors;
}

function checkPart(rules: Schema, schema: Schema | undefined, path: string, rulesPath: string): FieldError[] {
  if (schema === undefined) return [required(path, `because it is defined in ${rulesPath}`)];
  const errors = checkAlternatives(rules, schema, path, rulesPath);
  if (rules.items !== undefined) {
    errors.push(...checkPart(rules.items, schema.items, `${path}.items`, `${rulesPath}.items`));
  }
  const properties = schema.properties ?? {};
  for (const [name, property] of Object.entries(rules.properties ?? {})) {
    const outside = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const step = `properties[${name}]`;
    errors.push(...checkPart(property, outside, `${path}.${step}`, `${rulesPath}.${step}`));
  }
  return errors;
}
