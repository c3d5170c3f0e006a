/** Says what is wrong with a name, in the words of Kubernetes; an empty list says that it is good. */
export type NameRule = (name: string) => readonly string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = String.raw`${LABEL}(\.${LABEL})*`;
const DNS1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const CONFIG_KEY = '[-._a-zA-Z0-9]+';

const LABEL_PATTERN = exactly(LABEL);
const SUBDOMAIN_PATTERN = exactly(SUBDOMAIN);
const DNS1035_PATTERN = exactly(DNS1035);
const QUALIFIED_PATTERN = exactly(QUALIFIED);
const LABEL_VALUE_PATTERN = exactly(`(${QUALIFIED})?`);
const CONFIG_KEY_PATTERN = exactly(CONFIG_KEY);

const LABEL_TEXT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_TEXT =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const DNS1035_TEXT =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const QUALIFIED_TEXT =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_VALUE_TEXT = `a valid label must be an empty string or ${QUALIFIED_TEXT.slice('must '.length)}`;
const CONFIG_KEY_TEXT = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";

/** One label of a DNS name, at most 63 long: what namespaces are named with. */
export function checkDns1123Label(name: string): readonly string[] {
  const problems = checkLength(name, 63, 'characters');
  if (LABEL_PATTERN.test(name)) return problems;
  if (SUBDOMAIN_PATTERN.test(name)) return [...problems, 'must not contain dots'];
  return [...problems, patternProblem(LABEL_TEXT, LABEL, ['my-name', '123-abc'])];
}

/** Labels joined by dots, at most 253 long: what most objects are named with. */
export function checkDns1123Subdomain(name: string): readonly string[] {
  return checkSubdomain(name, 'characters');
}

/** A label that starts with a letter: what services are named with. */
export function checkDns1035Label(name: string): readonly string[] {
  const problems = checkLength(name, 63, 'characters');
  if (DNS1035_PATTERN.test(name)) return problems;
  return [...problems, patternProblem(DNS1035_TEXT, DNS1035, ['my-name', 'abc-123'])];
}

/** A name that can stand in a URL as it is: all that is asked of roles and other names with few rules. */
export function checkPathSegmentName(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}

/** The key of a label: a name, and before it maybe a domain and a slash. */
export function checkQualifiedName(name: string): readonly string[] {
  const [first = '', second, ...rest] = name.split('/');
  const rule = patternProblem(QUALIFIED_TEXT, QUALIFIED, ['MyName', 'my.name', '123-abc']);
  if (rest.length > 0) {
    return [`a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems = second === undefined ? [] : checkPrefix(first);
  const own = second ?? first;
  if (own === '') problems.push('name part must be non-empty');
  else problems.push(...checkLength(own, 63, 'bytes').map((problem) => `name part ${problem}`));
  if (!QUALIFIED_PATTERN.test(own)) problems.push(`name part ${rule}`);
  return problems;
}

/** The value of a label. */
export function checkLabelValue(value: string): readonly string[] {
  const problems = checkLength(value, 63, 'bytes');
  if (LABEL_VALUE_PATTERN.test(value)) return problems;
  return [...problems, patternProblem(LABEL_VALUE_TEXT, `(${QUALIFIED})?`, ['MyValue', 'my_value', '12345'])];
}

/** A key in the data of a ConfigMap or a Secret. */
export function checkConfigMapKey(key: string): readonly string[] {
  const problems = [...checkLength(key, 253, 'characters')];
  if (!CONFIG_KEY_PATTERN.test(key)) {
    problems.push(patternProblem(CONFIG_KEY_TEXT, CONFIG_KEY, ['key.name', 'KEY_NAME', 'key-name']));
  }
  if (key === '.' || key === '..') problems.push(`must not be '${key}'`);
  else if (key.startsWith('..')) problems.push("must not start with '..'");
  return problems;
}

/** The rule for what a name will be made from: a dash may end it, because something is appended. */
export function forPrefix(rule: NameRule): NameRule {
  return (name) => rule(name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);
}

function checkPrefix(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return checkSubdomain(prefix, 'bytes').map((problem) => `prefix part ${problem}`);
}

function checkSubdomain(name: string, unit: 'bytes' | 'characters'): readonly string[] {
  const problems = checkLength(name, 253, unit);
  if (SUBDOMAIN_PATTERN.test(name)) return problems;
  return [...problems, patternProblem(SUBDOMAIN_TEXT, SUBDOMAIN, ['example.com'])];
}

function checkLength(value: string, max: number, unit: 'bytes' | 'characters'): readonly string[] {
  return Buffer.byteLength(value) > max ? [`must be no more than ${max} ${unit}`] : [];
}

function patternProblem(text: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${text} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

function exactly(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
