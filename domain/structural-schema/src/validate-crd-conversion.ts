import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { forbidden, invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1035Label, checkDns1123Subdomain } from '@smalt/kubernetes';

import { objectAt, textAt, textsAt } from './read-object.ts';

const STRATEGIES: readonly string[] = ['None', 'Webhook'];
const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];
const CLIENT = 'spec.conversion.webhookClientConfig';
const VERSIONS = 'spec.conversion.conversionReviewVersions';
const URL_FORM = '; desired format: https://host[/path]';

/** What is wrong with how objects are to be converted between versions. */
export function validateConversion(spec: JsonObject, oldSpec: JsonObject | undefined): FieldError[] {
  const { conversion } = spec;
  if (!isJsonObject(conversion)) return [];
  const strategy = textAt(conversion, 'strategy');
  const webhook = objectAt(conversion, 'webhook');
  return [
    ...validateStrategy(strategy),
    ...(strategy === 'Webhook' ? validateWebhook(webhook, oldSpec) : forbidWebhook(webhook)),
  ];
}

function validateStrategy(strategy: string): FieldError[] {
  const field = 'spec.conversion.strategy';
  if (strategy === '') return [required(field)];
  return STRATEGIES.includes(strategy) ? [] : [notSupported(field, strategy, STRATEGIES)];
}

function forbidWebhook(webhook: JsonObject): FieldError[] {
  const detail = 'should not be set when strategy is not set to Webhook';
  const errors: FieldError[] = [];
  if (isJsonObject(webhook['clientConfig'])) errors.push(forbidden(CLIENT, detail));
  if (textsAt(webhook, 'conversionReviewVersions').length > 0) errors.push(forbidden(VERSIONS, detail));
  return errors;
}

function validateWebhook(webhook: JsonObject, oldSpec: JsonObject | undefined): FieldError[] {
  const old = objectAt(objectAt(oldSpec ?? {}, 'conversion'), 'webhook');
  const oldVersions = textsAt(old, 'conversionReviewVersions');
  const isStrict = oldVersions.length === 0 || oldVersions.some((version) => REVIEW_VERSIONS.includes(version));
  return [
    ...validateClient(webhook['clientConfig']),
    ...validateReviewVersions(textsAt(webhook, 'conversionReviewVersions'), isStrict),
  ];
}

function validateClient(client: JsonValue | undefined): FieldError[] {
  if (!isJsonObject(client)) return [required(CLIENT, 'required when strategy is set to Webhook')];
  const { url, service } = client;
  const hasUrl = typeof url === 'string';
  if (hasUrl === isJsonObject(service)) return [required(CLIENT, 'exactly one of url or service is required')];
  return hasUrl ? validateUrl(url, `${CLIENT}.url`) : validateService(objectAt(client, 'service'), `${CLIENT}.service`);
}

function validateUrl(text: string, field: string): FieldError[] {
  if (!URL.canParse(text)) return [required(field, `url must be a valid URL: parse "${text}": invalid URI${URL_FORM}`)];
  const url = new URL(text);
  const errors: FieldError[] = [];
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https') errors.push(invalid(field, scheme, `'https' is the only allowed URL scheme${URL_FORM}`));
  if (url.host === '') errors.push(invalid(field, '', `host must be specified${URL_FORM}`));
  if (url.username !== '' || url.password !== '') {
    errors.push(invalid(field, url.username, 'user information is not permitted in the URL'));
  }
  if (url.hash !== '') errors.push(invalid(field, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search !== '') {
    errors.push(invalid(field, url.search.slice(1), 'query parameters are not permitted in the URL'));
  }
  return errors;
}

function validateService(service: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  // Kubernetes mixes the two up here, and people look for its messages.
  if (textAt(service, 'namespace') === '') errors.push(required(`${path}.name`));
  if (textAt(service, 'name') === '') errors.push(required(`${path}.namespace`));
  const port = service['port'] ?? 443;
  if (typeof port !== 'number' || port < 1 || port > 65535) {
    errors.push(invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  }
  return [...errors, ...validateServicePath(textAt(service, 'path'), `${path}.path`)];
}

function validateServicePath(path: string, field: string): FieldError[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return [invalid(field, path, 'segment[0] may not be empty')];
  const errors = path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")];
  for (const [index, segment] of path.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (segment === '') errors.push(invalid(field, path, `segment[${index}] may not be empty`));
    else {
      const problems = checkDns1123Subdomain(segment);
      errors.push(...problems.map((problem) => invalid(field, path, `segment[${index}]: ${problem}`)));
    }
  }
  return errors;
}

function validateReviewVersions(versions: readonly string[], isStrict: boolean): FieldError[] {
  if (versions.length === 0) return [required(VERSIONS)];
  const errors: FieldError[] = [];
  for (const [index, version] of versions.entries()) {
    const field = `${VERSIONS}[${index}]`;
    if (versions.indexOf(version) < index) errors.push(invalid(field, version, 'duplicate version'));
    else errors.push(...checkDns1035Label(version).map((problem) => invalid(field, version, problem)));
  }
  if (isStrict && !versions.some((version) => REVIEW_VERSIONS.includes(version))) {
    errors.push(invalid(VERSIONS, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`));
  }
  return errors;
}
