import { parseUrl } from './parse-url.ts';
import { parseTimestamp, utcMilliseconds } from './time-text.ts';

/** A format of texts: what is wrong with a text, and how long the pattern is that Kubernetes checks with. */
export interface NamedFormat {
  readonly regexSize: number;
  readonly validate: (text: string) => readonly string[];
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = String.raw`${LABEL}(\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const NAME_MESSAGE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const NAME_EXAMPLES = ['MyName', 'my.name', '123-abc'];

export const NAMED_FORMATS: ReadonlyMap<string, NamedFormat> = new Map<string, NamedFormat>([
  ['dns1123Label', { regexSize: 30, validate: label }],
  ['dns1123Subdomain', { regexSize: 60, validate: subdomain }],
  ['dns1035Label', { regexSize: 30, validate: label1035 }],
  ['qualifiedName', { regexSize: 60, validate: qualifiedName }],
  ['dns1123LabelPrefix', { regexSize: 30, validate: (text) => label(withoutTrailingDash(text)) }],
  ['dns1123SubdomainPrefix', { regexSize: 60, validate: (text) => subdomain(withoutTrailingDash(text)) }],
  ['dns1035LabelPrefix', { regexSize: 30, validate: (text) => label1035(withoutTrailingDash(text)) }],
  ['labelValue', { regexSize: 40, validate: labelValue }],
  ['uri', { regexSize: 1103, validate: uri }],
  [
    'uuid',
    {
      regexSize: 79,
      validate: (text) =>
        unless(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text), 'does not match the UUID format'),
    },
  ],
  ['byte', { regexSize: 84, validate: (text) => unless(isBase64(text), 'invalid base64') }],
  ['date', { regexSize: 83, validate: (text) => unless(isDate(text), 'invalid date') }],
  ['datetime', { regexSize: 83, validate: (text) => unless(isDateTime(text), 'invalid datetime') }],
]);

function unless(isValid: boolean, problem: string): readonly string[] {
  return isValid ? [] : [problem];
}

function label(text: string): readonly string[] {
  return named(text, 63, LABEL, [
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
    'my-name',
    '123-abc',
  ]);
}

function subdomain(text: string): readonly string[] {
  return named(text, 253, SUBDOMAIN, [
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    'example.com',
  ]);
}

function label1035(text: string): readonly string[] {
  return named(text, 63, LABEL_1035, [
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    'my-name',
    'abc-123',
  ]);
}

function labelValue(text: string): readonly string[] {
  return named(text, 63, `(${NAME})?`, [
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    'MyValue',
    'my_value',
    '12345',
  ]);
}

function qualifiedName(text: string): readonly string[] {
  const parts = text.split('/');
  if (parts.length > 2) {
    const shape = patternProblem(NAME_MESSAGE, NAME, NAME_EXAMPLES);
    return [`a valid label key ${shape} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const problems = prefix === undefined ? [] : prefixProblems(prefix);
  if (name === '') problems.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > 63) problems.push('name part must be no more than 63 characters');
  if (!new RegExp(`^${NAME}$`).test(name))
    problems.push(`name part ${patternProblem(NAME_MESSAGE, NAME, NAME_EXAMPLES)}`);
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return subdomain(prefix).map((problem) => `prefix part ${problem}`);
}

function named(
  text: string,
  maxLength: number,
  pattern: string,
  [message = '', ...examples]: readonly string[],
): readonly string[] {
  const problems = Buffer.byteLength(text) > maxLength ? [`must be no more than ${maxLength} characters`] : [];
  return new RegExp(`^${pattern}$`).test(text) ? problems : [...problems, patternProblem(message, pattern, examples)];
}

function patternProblem(message: string, pattern: string, examples: readonly string[]): string {
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}

// Something will be appended, so a dash at the end does no harm.
function withoutTrailingDash(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text;
}

function uri(text: string): readonly string[] {
  const parsed = parseUrl(text);
  return typeof parsed === 'string' ? [parsed] : [];
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/.test(
    text,
  );
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return match !== null && utcMilliseconds(match.slice(1).map(Number)) !== undefined;
}

function isDateTime(text: string): boolean {
  return parseTimestamp(text.toUpperCase()) !== undefined;
}
