import { ValueList, ValueMap } from './built-values.ts';
import { BOOL, listOf, mapOf, opaque, STRING, type OpaqueType } from './cel-type.ts';
import { CelFailure, CelOpaque, type CelOutcome } from './cel-value.ts';
import { instance, text } from './kinds.ts';
import { member, plain, type Library } from './overload.ts';
import { escapedPathOf, hostnameOf, parseUrl, portOf, queryOf, type ParsedUrl } from './parse-url.ts';

export const URL_TYPE: OpaqueType = opaque('kubernetes.URL');

class CelUrl extends CelOpaque {
  readonly typeName: string = URL_TYPE.name;
  readonly url: ParsedUrl;
  readonly text: string;

  constructor(value: string, parsed: ParsedUrl) {
    super();
    this.text = value;
    this.url = parsed;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelUrl && other.text === this.text;
  }

  override toJson(): string {
    return this.text;
  }
}

const url = instance(URL_TYPE, CelUrl);

export const URL_LIBRARY: Library = {
  url: [plain('string_to_url', [text], URL_TYPE, toUrl)],
  isURL: [plain('is_url_string', [text], BOOL, (value) => typeof parseUrl(value) !== 'string')],
  getScheme: [member('url_get_scheme', [url], STRING, (value) => value.url.scheme)],
  getHost: [member('url_get_host', [url], STRING, (value) => value.url.host)],
  getHostname: [member('url_get_hostname', [url], STRING, (value) => hostnameOf(value.url))],
  getPort: [member('url_get_port', [url], STRING, (value) => portOf(value.url))],
  getEscapedPath: [member('url_get_escaped_path', [url], STRING, (value) => escapedPathOf(value.url))],
  getQuery: [
    member('url_get_query', [url], mapOf(STRING, listOf(STRING)), (value) =>
      ValueMap.of([...queryOf(value.url)].map(([name, values]) => [name, new ValueList(values)])),
    ),
  ],
};

function toUrl(value: string): CelOutcome {
  const parsed = parseUrl(value);
  if (typeof parsed === 'string') return new CelFailure(`URL parse error during conversion from string: ${parsed}`);
  return new CelUrl(value, parsed);
}
