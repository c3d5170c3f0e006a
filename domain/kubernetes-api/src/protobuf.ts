import type { JsonObject } from '@smalt/json';
import type { GroupVersionKind } from '@smalt/resource';

import { findMessageType } from './catalog.ts';
import { decodeMessage } from './decode-message.ts';
import { encodeMessage } from './encode-message.ts';
import { KubernetesApiError } from './kubernetes-api-error.ts';
import type { MessageType } from './message-type.ts';
import { malformed, ProtobufReader } from './protobuf-reader.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { readObject } from './read-object.ts';
import { textAt } from './read-path.ts';

const MAGIC = Buffer.from('k8s\0');

/** Which kind a body without one of its own is taken for. */
export interface KindHint {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Reads a body of `application/vnd.kubernetes.protobuf` into the JSON that Kubernetes shows for it. Throws a
 * KubernetesApiError: `malformed` bytes, or a kind that is unknown here.
 */
export function decodeProtobuf(bytes: Uint8Array, hint?: KindHint): JsonObject {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!buffer.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw malformed(`the body does not start with ${JSON.stringify('k8s\0')}`);
  }
  const envelope = readEnvelope(new ProtobufReader(buffer, MAGIC.length));
  const apiVersion = envelope.apiVersion === '' ? (hint?.apiVersion ?? '') : envelope.apiVersion;
  const kind = envelope.kind === '' ? (hint?.kind ?? '') : envelope.kind;
  const decoded = decodeMessage(new ProtobufReader(envelope.raw), kindType(apiVersion, kind));
  return readObject({ kind, apiVersion, ...decoded }, kindType(apiVersion, kind)).object;
}

/** Writes an object of a built-in kind, or a list of them, as a body of `application/vnd.kubernetes.protobuf`. */
export function encodeProtobuf(object: JsonObject): Uint8Array {
  const apiVersion = textAt(object, 'apiVersion');
  const kind = textAt(object, 'kind');
  const type = kindType(apiVersion, kind);
  const read = readObject(object, type).object;
  const writer = new ProtobufWriter();
  writer.message(1, () => {
    writer.text(1, apiVersion);
    writer.text(2, kind);
  });
  writer.message(2, () => encodeMessage(writer, read, type));
  writer.text(3, '');
  writer.text(4, '');
  return Buffer.concat([MAGIC, writer.finish()]);
}

/** Whether objects of this kind can be read from protobuf and written as it. */
export function hasProtobuf({ group, version, kind }: GroupVersionKind): boolean {
  return findMessageType(group === '' ? version : `${group}/${version}`, kind) !== undefined;
}

function kindType(apiVersion: string, kind: string): MessageType {
  const type = findMessageType(apiVersion, kind);
  if (type !== undefined) return type;
  throw new KubernetesApiError('unknown-kind', `no kind "${kind}" is registered for version "${apiVersion}" in scheme`);
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

function readEnvelope(reader: ProtobufReader): Envelope {
  let meta = { apiVersion: '', kind: '' };
  let raw: Buffer = Buffer.alloc(0);
  for (let field = reader.nextField(); field !== undefined; field = reader.nextField()) {
    if (field === 1) meta = readTypeMeta(reader.readMessage());
    else if (field === 2) raw = reader.readBytes();
    else if (field === 3) requireNoEncoding(reader.readText());
    else reader.skip();
  }
  return { ...meta, raw };
}

function readTypeMeta(reader: ProtobufReader): { apiVersion: string; kind: string } {
  const meta = { apiVersion: '', kind: '' };
  for (let field = reader.nextField(); field !== undefined; field = reader.nextField()) {
    if (field === 1) meta.apiVersion = reader.readText();
    else if (field === 2) meta.kind = reader.readText();
    else reader.skip();
  }
  return meta;
}

function requireNoEncoding(encoding: string): void {
  if (encoding !== '') throw malformed(`the content encoding ${JSON.stringify(encoding)} is not known`);
}
