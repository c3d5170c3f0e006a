const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const NAME_TEXT =
  `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ` +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
const VALUE_TEXT =
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end ` +
  `with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is ` +
  `'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;
const SUBDOMAIN_TEXT =
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end ` +
  `with an alphanumeric character (e.g. 'example.com', regex used for validation is ` +
  `'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;

/** What is wrong with the key of a label, an annotation, a taint…, in Kubernetes' words. Nothing, if it is valid. */
export function qualifiedNameProblems(key: string): readonly string[] {
  const parts = key.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) {
    return [`a valid label key ${NAME_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems = second === undefined ? [] : prefixProblems(first);
  const name = second ?? first;
  if (name.length === 0) problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!NAME.test(name)) problems.push(`name part ${NAME_TEXT}`);
  return problems;
}

function prefixProblems(prefix: string): string[] {
  if (prefix.length === 0) return ['prefix part must be non-empty'];
  return subdomainProblems(prefix).map((problem) => `prefix part ${problem}`);
}

/** What is wrong with a lower-case DNS subdomain (RFC 1123), in Kubernetes' words. */
export function subdomainProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 253) problems.push('must be no more than 253 bytes');
  if (!SUBDOMAIN.test(name)) problems.push(SUBDOMAIN_TEXT);
  return problems;
}

/** What is wrong with the value of a label, in Kubernetes' words. */
export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 bytes');
  if (value !== '' && !NAME.test(value)) problems.push(VALUE_TEXT);
  return problems;
}
