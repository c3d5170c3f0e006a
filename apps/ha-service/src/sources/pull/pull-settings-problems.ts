import { messageOf } from '@smalt/service-runtime';

import type { PullEndpoint, PullRule } from './pull-settings.ts';

/** Every setting that is readable and still makes no sense, or would give a secret away, each with its field. */
export function pullSettingsProblems(endpoints: readonly PullEndpoint[]): readonly string[] {
  const names = endpoints.map(({ name }) => name);
  return endpoints.flatMap((endpoint, index) => {
    const at = `[${index}]`;
    return [
      ...(names.indexOf(endpoint.name) < index
        ? [`${at}.name: another one is called ${endpoint.name}; rename it`]
        : []),
      ...identityProblems(endpoint).map((problem) => `${at}.${problem}`),
      ...(endpoint.timeoutMs > endpoint.intervalMs ? [`${at}.timeoutMs: must not be more than intervalMs`] : []),
      ...formatProblems(endpoint).map((problem) => `${at}.${problem}`),
      ...endpoint.rules.flatMap((rule, place) =>
        ruleProblems(rule).map((problem) => `${at}.rules[${place}].${problem}`),
      ),
    ];
  });
}

function identityProblems(endpoint: PullEndpoint): readonly string[] {
  const { url, certificateFile, keyFile, tokenFile, user, passwordFile } = endpoint;
  const isPlain = url.startsWith('http:');
  const hasSecret = tokenFile !== undefined || passwordFile !== undefined;
  return [
    ...urlProblems(url),
    ...(isPlain && hasSecret ? ['url: is not https, so the token or the password could be overheard; use https'] : []),
    ...((certificateFile === undefined) === (keyFile === undefined)
      ? []
      : ['keyFile: a certificate and its key go together; give certificateFile and keyFile, or neither']),
    ...((user === undefined) === (passwordFile === undefined)
      ? []
      : ['passwordFile: an account and its password go together; give user and passwordFile, or neither']),
    ...(tokenFile !== undefined && user !== undefined ? ['tokenFile: is of no use with user; give one of them'] : []),
  ];
}

function urlProblems(url: string): readonly string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return ['url: is no address; give one such as https://exporter.example/metrics'];
  if (parsed.username === '' && parsed.password === '') return [];
  return ['url: has an account in it; give user and passwordFile instead'];
}

function formatProblems({ format, items, rules }: PullEndpoint): readonly string[] {
  if (format === 'json') return [];
  return [
    ...(items === undefined ? [] : ['items: is for JSON; leave it out']),
    ...rules.flatMap(({ time }, place) =>
      time === undefined ? [] : [`rules[${place}].time: is for JSON; metrics have times of their own; leave it out`],
    ),
  ];
}

function ruleProblems({ where, host }: PullRule): readonly string[] {
  const fields = Object.entries(where).map(([name, text]) => [`where.${name}`, text] as const);
  return [...fields, ['host.pattern', host.pattern ?? ''] as const].flatMap(([field, text]) =>
    expressionProblems(field, text),
  );
}

function expressionProblems(field: string, text: string): readonly string[] {
  try {
    wholeMatch(text);
    return [];
  } catch (error) {
    return [`${field}: is no regular expression: ${messageOf(error)}`];
  }
}

/** An expression that has to match all of a text, as in Prometheus. */
export function wholeMatch(text: string): RegExp {
  return new RegExp(`^(?:${text})$`, 'u');
}
