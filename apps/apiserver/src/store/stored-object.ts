import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@smalt/json';

/** Where the bytes of an object are read from when they are no longer in memory. */
export type ReadBytes = (resourceVersion: number) => Buffer;

export interface StoredObjectContent {
  readonly key: string;
  readonly resourceVersion: number;
  readonly bytes: Buffer | { readonly length: number; readonly read: ReadBytes };
  /** What the bytes say, when it is at hand already. */
  readonly value?: JsonObject;
  /** Tells in what form the object was written; compared by identity and never looked into. */
  readonly shape?: object;
  /** A number for that form that outlives the process. */
  readonly form?: number | undefined;
}

/** One version of an object as it is kept: its JSON bytes, read only when somebody asks for what they say. */
export class StoredObject {
  /** `namespace/name`; a resource without namespaces has an empty namespace. */
  readonly key: string;
  readonly resourceVersion: number;
  readonly byteLength: number;
  readonly form: number | undefined;
  shape: object | undefined;
  #bytes: Buffer | undefined;
  #readBytes: ReadBytes | undefined;
  #keepsBytes = true;
  #value: JsonObject | undefined;
  #labels: JsonObject | undefined;
  #fields: Map<string, string> | undefined;

  constructor(content: StoredObjectContent) {
    this.key = content.key;
    this.resourceVersion = content.resourceVersion;
    this.byteLength = content.bytes.length;
    if (Buffer.isBuffer(content.bytes)) this.#bytes = content.bytes;
    else this.#readBytes = content.bytes.read;
    this.#value = content.value;
    this.shape = content.shape;
    this.form = content.form;
    if (content.value !== undefined) this.#labels = labelsIn(content.value);
  }

  get namespace(): string {
    return this.key.slice(0, this.key.indexOf('/'));
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }

  /** The object as JSON text, as it goes to clients. */
  get bytes(): Buffer {
    if (this.#bytes !== undefined) return this.#bytes;
    if (this.#readBytes === undefined) throw new TypeError('an object without bytes cannot read them');
    const bytes = this.#readBytes(this.resourceVersion);
    if (this.#keepsBytes) this.#bytes = bytes;
    return bytes;
  }

  /** The object itself. Kept for a short while only: hold on to it rather than ask twice. */
  get value(): JsonObject {
    return this.#value ?? readObject(this.bytes);
  }

  get labels(): JsonObject {
    this.#labels ??= labelsIn(this.value);
    return this.#labels;
  }

  /** What a field says by `read`, which is asked once: fifty watchers with selectors ask for the same. */
  field(name: string, read: (value: JsonObject) => string): string {
    this.#fields ??= new Map();
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const text = read(this.value);
    this.#fields.set(name, text);
    return text;
  }

  /** Forgets what the bytes say. */
  dropValue(): void {
    this.#value = undefined;
  }

  /** Forgets the bytes too; from now on they are read each time somebody asks. */
  dropBytes(readBytes: ReadBytes): void {
    this.#value = undefined;
    this.#labels = undefined;
    this.#fields = undefined;
    this.#bytes = undefined;
    this.#readBytes = readBytes;
    this.#keepsBytes = false;
  }
}

const NO_LABELS: JsonObject = Object.freeze({});

function labelsIn(value: JsonObject): JsonObject {
  const metadata: JsonValue | undefined = value['metadata'];
  if (!isJsonObject(metadata)) return NO_LABELS;
  const labels = metadata['labels'];
  return isJsonObject(labels) ? labels : NO_LABELS;
}

function readObject(bytes: Buffer): JsonObject {
  const value = parseJson(bytes.toString('utf8'));
  if (!isJsonObject(value)) throw new TypeError('a stored object is not a JSON object');
  return value;
}
