import { KubernetesError } from './kubernetes-error.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly isEqual: boolean;
  readonly value: string;
}

/** Which objects are meant, by their fields. No requirements: all of them. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
}

const OPERATOR = /^(?<field>[^=!]*?)(?<operator>!=|==|=)(?<value>.*)$/s;

/** Reads the `fieldSelector` parameter: `metadata.name=a,status.phase!=Running`. Throws a KubernetesError. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).filter((term) => term !== '');
  return { requirements: terms.map((term) => readTerm(text, term)) };
}

// A backslash hides a comma, an equals sign or a backslash in a value.
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let position = 0; position < text.length; position++) {
    if (text[position] === '\\') position++;
    else if (text[position] === ',') {
      terms.push(text.slice(start, position));
      start = position + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function readTerm(text: string, term: string): FieldRequirement {
  const groups = OPERATOR.exec(term)?.groups;
  const { field, operator, value } = groups ?? {};
  const unescaped = value === undefined ? undefined : unescape(value);
  if (value !== undefined && unescaped === undefined && /(?:^|[^\\])=/.test(value)) {
    throw new KubernetesError('invalid-selector', 'invalid field selector: unescaped character in value: 61');
  }
  if (field === undefined || operator === undefined || unescaped === undefined) {
    throw new KubernetesError('invalid-selector', `invalid selector: '${text}'; can't understand '${term}'`);
  }
  return { field, isEqual: operator !== '!=', value: unescaped };
}

function unescape(value: string): string | undefined {
  const result = value.replaceAll(/\\(?<escaped>[\\,=])/g, '$<escaped>');
  const isValid = !/(?:^|[^\\])(?:\\\\)*(?:\\(?:[^\\,=]|$)|=)/s.test(value);
  return isValid ? result : undefined;
}

/** Writes a selector as the `fieldSelector` parameter takes it. */
export function printFieldSelector(selector: FieldSelector): string {
  return selector.requirements
    .map(
      ({ field, isEqual, value }) => `${field}${isEqual ? '=' : '!='}${value.replaceAll(/[\\,=]/g, String.raw`\$&`)}`,
    )
    .join(',');
}

/** Whether an object matches whose fields are read with `read`; a field that is not there is an empty string. */
export function matchesFields(selector: FieldSelector, read: (field: string) => string): boolean {
  return selector.requirements.every(({ field, isEqual, value }) => (read(field) === value) === isEqual);
}
