import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { invalid, required, type FieldError } from '@smalt/resource';

/** Checks the selectors of an access review. Roles do not look at them, so nothing else is done with them. */
export function validateSelectors(spec: JsonObject): readonly FieldError[] {
  const attributes = spec['resourceAttributes'];
  if (!isJsonObject(attributes)) return [];
  return ['fieldSelector', 'labelSelector'].flatMap((name) =>
    selectorErrors(attributes[name], `spec.resourceAttributes.${name}`),
  );
}

function selectorErrors(selector: JsonValue | undefined, path: string): readonly FieldError[] {
  if (!isJsonObject(selector)) return [];
  const raw = selector['rawSelector'];
  const requirements = selector['requirements'];
  const hasRaw = typeof raw === 'string' && raw !== '';
  const hasRequirements = Array.isArray(requirements) && requirements.length > 0;
  if (hasRaw && hasRequirements) {
    return [invalid(`${path}.rawSelector`, raw, 'may not specified at the same time as requirements')];
  }
  if (hasRaw || hasRequirements) return [];
  return [required(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`)];
}
