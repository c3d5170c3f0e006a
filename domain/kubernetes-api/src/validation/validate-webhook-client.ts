import type { JsonObject } from '@smalt/json';
import { invalid, required, type FieldError } from '@smalt/resource';

import { isGivenAt, numberAt, textAt } from '../read-path.ts';

const FORM = '; desired format: https://host[/path]';
const MAX_PORT = 65_535;

/** What is wrong with the address of a webhook. */
export function validateWebhookUrl(text: string, field: string): readonly FieldError[] {
  const url = URL.parse(text);
  if (url === null) {
    return /^[a-z][a-z0-9+.-]*:/i.test(text)
      ? [required(field, `url must be a valid URL: parse ${JSON.stringify(text)}: invalid URL${FORM}`)]
      : [
          invalid(field, '', `'https' is the only allowed URL scheme${FORM}`),
          invalid(field, '', `host must be specified${FORM}`),
        ];
  }
  const errors: FieldError[] = [];
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'https') errors.push(invalid(field, scheme, `'https' is the only allowed URL scheme${FORM}`));
  if (url.host === '') errors.push(invalid(field, url.host, `host must be specified${FORM}`));
  if (url.username !== '') errors.push(invalid(field, url.username, 'user information is not permitted in the URL'));
  if (url.hash !== '') errors.push(invalid(field, url.hash.slice(1), 'fragments are not permitted in the URL'));
  if (url.search !== '') {
    errors.push(invalid(field, url.search.slice(1), 'query parameters are not permitted in the URL'));
  }
  return errors;
}

/** What is wrong with a reference to the service behind a webhook. */
export function validateServiceReference(service: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (textAt(service, 'name') === '') errors.push(required(`${path}.name`));
  if (textAt(service, 'namespace') === '') errors.push(required(`${path}.namespace`));
  const port = numberAt(service, 'port');
  if (isGivenAt(service, 'port') && (port < 1 || port > MAX_PORT)) {
    const detail = `port is not valid: must be between 1 and ${MAX_PORT}, inclusive`;
    errors.push(invalid(`${path}.port`, port, detail));
  }
  const urlPath = textAt(service, 'path');
  if (urlPath !== '' && !urlPath.startsWith('/')) {
    errors.push(invalid(`${path}.path`, urlPath, "must start with a '/'"));
  }
  return errors;
}
