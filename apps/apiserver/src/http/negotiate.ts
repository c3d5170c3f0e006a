import { notAcceptableError } from '../errors/make-status-error.ts';

/** In which form an answer goes out. */
export interface MediaChoice {
  readonly format: 'json' | 'yaml' | 'protobuf';
  readonly transform: Transform | undefined;
  readonly isPretty: boolean;
}

/** What an object is turned into before it is written; the version is that of meta.k8s.io. */
export interface Transform {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  readonly version: 'v1' | 'v1beta1';
}

/** The formats that an endpoint can answer in. */
export interface Offer {
  readonly hasProtobuf: boolean;
  readonly hasTransforms: boolean;
}

export const JSON_TYPE = 'application/json';
export const YAML_TYPE = 'application/yaml';
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';

const PLAIN_JSON: MediaChoice = { format: 'json', transform: undefined, isPretty: false };
const TRANSFORMS: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** Picks the best form that the client accepts. Throws 406 where it accepts none that can be had. */
export function negotiate(accept: string | undefined, offer: Offer): MediaChoice {
  if (accept === undefined || accept === '' || accept === JSON_TYPE) return PLAIN_JSON;
  for (const clause of parseAccept(accept)) {
    const choice = chooseFor(clause, offer);
    if (choice !== undefined) return choice;
  }
  throw notAcceptableError(offer.hasProtobuf ? [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE] : [JSON_TYPE, YAML_TYPE]);
}

/** One alternative of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The alternatives of an Accept header, best first. */
export function parseAccept(accept: string): readonly AcceptClause[] {
  const clauses = accept.split(',').map(parseClause);
  return clauses.toSorted((left, right) => right.quality - left.quality);
}

function parseClause(text: string): AcceptClause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map<string, string>();
  for (const part of rest) {
    const mark = part.indexOf('=');
    if (mark > 0) parameters.set(part.slice(0, mark).trim(), unquote(part.slice(mark + 1).trim()));
  }
  const quality = Number(parameters.get('q') ?? '1');
  parameters.delete('q');
  return { type, parameters, quality: Number.isFinite(quality) ? quality : 1 };
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text;
}

function chooseFor(clause: AcceptClause, offer: Offer): MediaChoice | undefined {
  const format = formatOf(clause.type);
  const stream = clause.parameters.get('stream') ?? 'watch';
  if (format === undefined || stream !== 'watch') return undefined;
  const isPretty = clause.parameters.get('pretty') === '1';
  const wantsTransform = ['as', 'g', 'v'].some((name) => clause.parameters.has(name));
  if (!wantsTransform)
    return format === 'protobuf' && !offer.hasProtobuf ? undefined : { format, transform: undefined, isPretty };
  // Metadata and tables have no protobuf form here; every client that asks for one names JSON as well.
  const transform = offer.hasTransforms && format !== 'protobuf' ? transformOf(clause.parameters) : undefined;
  return transform === undefined ? undefined : { format, transform, isPretty };
}

function formatOf(type: string): MediaChoice['format'] | undefined {
  if (type === JSON_TYPE || type === '*/*' || type === 'application/*') return 'json';
  if (type === YAML_TYPE) return 'yaml';
  return type === PROTOBUF_TYPE ? 'protobuf' : undefined;
}

function transformOf(parameters: ReadonlyMap<string, string>): Transform | undefined {
  const kind = parameters.get('as') ?? '';
  const version = parameters.get('v');
  if (parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  return isTransformKind(kind) ? { kind, version } : undefined;
}

function isTransformKind(kind: string): kind is Transform['kind'] {
  return TRANSFORMS.has(kind);
}

/** Whether a person reads the answer: they asked for it, or their program is one that shows it as it is. */
export function wantsPretty(query: URLSearchParams, userAgent: string | undefined): boolean {
  const asked = query.get('pretty');
  if (asked !== null && asked !== '')
    return asked === '1' || asked.toLowerCase() === 'true' || asked.toLowerCase() === 't';
  return userAgent !== undefined && /^(?:curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
