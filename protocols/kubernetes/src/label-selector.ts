import { KubernetesError } from './kubernetes-error.ts';
import { checkLabelValue, checkQualifiedName } from './name-rules.ts';

type Labels = Readonly<Record<string, string>>;

/** One condition of a label selector; an object matches a selector when it meets them all. */
export type LabelRequirement =
  | { readonly operator: 'in' | 'notin'; readonly key: string; readonly values: readonly string[] }
  | { readonly operator: 'exists' | '!'; readonly key: string }
  | { readonly operator: '>' | '<'; readonly key: string; readonly value: bigint };

/** Which objects are meant, by their labels. No requirements: all of them. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
}

/** A selector as it stands in the spec of an object, a Deployment's for example. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

export function matchesLabels(selector: LabelSelector, labels: Labels | undefined): boolean {
  return selector.requirements.every((requirement) => meets(requirement, labelOf(labels, requirement.key)));
}

function labelOf(labels: Labels | undefined, key: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function meets(requirement: LabelRequirement, label: string | undefined): boolean {
  switch (requirement.operator) {
    case 'in':
      return label !== undefined && requirement.values.includes(label);
    case 'notin':
      return label === undefined || !requirement.values.includes(label);
    case 'exists':
      return label !== undefined;
    case '!':
      return label === undefined;
    case '>':
      return isInteger(label) && BigInt(label) > requirement.value;
    case '<':
      return isInteger(label) && BigInt(label) < requirement.value;
  }
}

function isInteger(text: string | undefined): text is string {
  return text !== undefined && /^[+-]?\d{1,19}$/.test(text);
}

/** Makes a requirement of what a selector says. Throws a KubernetesError when that makes no sense. */
export function labelRequirement(key: string, operator: string, values: readonly string[]): LabelRequirement {
  const problems = checkQualifiedName(key);
  if (problems.length > 0) throw invalid('key', key, problems.join('; '));
  values.forEach((value, index) => {
    const [problem] = checkLabelValue(value);
    if (problem !== undefined) throw invalid(`values[${index}][${key}]`, value, problem);
  });
  return requirementOf(key, operator, values);
}

function requirementOf(key: string, operator: string, values: readonly string[]): LabelRequirement {
  const [value] = values;
  switch (operator) {
    case '=':
    case '==':
      return { operator: 'in', key, values };
    case '!=':
      return { operator: 'notin', key, values };
    case 'in':
    case 'notin':
      if (values.length > 0) return { operator, key, values };
      throw new KubernetesError(
        'invalid-selector',
        `values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty`,
      );
    case 'exists':
    case '!':
      if (value === undefined) return { operator, key };
      throw invalid('values', value, 'values set must be empty for exists and does not exist');
    case '>':
    case '<':
      if (isInteger(value)) return { operator, key, value: BigInt(value) };
      throw invalid('values[0]', value ?? '', `for 'Gt', 'Lt' operators, the value must be an integer`);
    default:
      throw new KubernetesError('invalid-selector', `"${operator}" is not a valid label selector operator`);
  }
}

function invalid(field: string, value: string, detail: string): KubernetesError {
  return new KubernetesError('invalid-selector', `${field}: Invalid value: ${JSON.stringify(value)}: ${detail}`);
}

const OPERATORS = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/** Reads the selector of a spec. Without one nothing matches, and that is for the caller to decide. */
export function labelSelectorFrom(object: LabelSelectorObject): LabelSelector {
  const labels = Object.entries(object.matchLabels ?? {}).map(([key, value]) => labelRequirement(key, '=', [value]));
  const expressions = (object.matchExpressions ?? []).map(({ key, operator, values }) =>
    labelRequirement(key, OPERATORS.get(operator) ?? operator, values ?? []),
  );
  return { requirements: [...labels, ...expressions] };
}

/** Writes a selector as `kubectl -l` takes it. */
export function printLabelSelector(selector: LabelSelector): string {
  return selector.requirements.map(printRequirement).join(',');
}

function printRequirement(requirement: LabelRequirement): string {
  switch (requirement.operator) {
    case 'in':
      if (requirement.values.length === 1) return `${requirement.key}=${requirement.values[0]}`;
      return `${requirement.key} in (${requirement.values.join(',')})`;
    case 'notin':
      if (requirement.values.length === 1) return `${requirement.key}!=${requirement.values[0]}`;
      return `${requirement.key} notin (${requirement.values.join(',')})`;
    case 'exists':
      return requirement.key;
    case '!':
      return `!${requirement.key}`;
    case '>':
    case '<':
      return `${requirement.key}${requirement.operator}${requirement.value}`;
  }
}
