import { readFileSync } from 'node:fs';

import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { findMessageType, messageType } from './catalog.ts';
import { packages } from './generated/packages.gen.ts';
import { isMalformed, isUnknownKind, KubernetesApiError } from './kubernetes-api-error.ts';
import type { Field, FieldType, MessageType, ScalarName } from './message-type.ts';
import { decodeProtobuf, encodeProtobuf, hasProtobuf } from './protobuf.ts';
import { readObject } from './read-object.ts';

interface Recorded {
  readonly command: string;
  readonly body: string;
  readonly object: JsonObject;
}

const recorded = JSON.parse(
  readFileSync(new URL('fixtures/kubectl-1.33-bodies.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

describe('bodies that kubectl sends', () => {
  it.each(recorded)('$command is read as the object that it means', ({ body, object }) => {
    const decoded = decodeProtobuf(Buffer.from(body, 'base64'));

    expect(decoded).toEqual(object);
  });

  it.each(recorded)('$command survives being written and read again', ({ object }) => {
    const again = decodeProtobuf(encodeProtobuf(object));

    expect(again).toEqual(object);
  });
});

describe('decodeProtobuf', () => {
  it('reads what it wrote, for any object of any kind', () => {
    fc.assert(
      fc.property(anyObject(), (object) => {
        expect(decodeProtobuf(encodeProtobuf(object))).toEqual(object);
      }),
      { numRuns: 300 },
    );
  });

  it('answers any bytes with an object or with a KubernetesApiError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...recorded), (noise, { body }) => {
        const bytes = Buffer.from(body, 'base64');
        for (const [index, byte] of noise.entries()) bytes[4 + ((index * 7 + byte) % (bytes.length - 4))] = byte;

        expect(isObjectOrRefusal(bytes)).toBe(true);
        expect(isObjectOrRefusal(Buffer.concat([Buffer.from('k8s\0'), noise]))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('refuses every body that was cut off, except where only the object itself is missing', () => {
    const whole = Buffer.from(encodeProtobuf(pod()));
    const beforeObject = 4 + 2 + Buffer.from('..v1..Pod').length;

    const taken = Array.from({ length: whole.length - 4 }, (_item, length) => length).filter(
      (length) => refusalOf(whole.subarray(0, length)) === undefined,
    );

    expect(taken).toEqual([beforeObject]);
  });

  it.each([
    { what: 'another magic', bytes: Buffer.from('{"kind":"Pod"}') },
    { what: 'a length that goes past the end', bytes: Buffer.from('6b38730012ff7f', 'hex') },
    { what: 'a varint without end', bytes: Buffer.from(`6b38730008${'ff'.repeat(12)}`, 'hex') },
    { what: 'a field numbered 0', bytes: Buffer.from('6b3873000200', 'hex') },
    { what: 'a group without end', bytes: Buffer.from('6b3873007b', 'hex') },
    { what: 'a content encoding', bytes: Buffer.from('6b3873001a04677a6970', 'hex') },
  ])('refuses $what', ({ bytes }) => {
    expect(isMalformed(refusalOf(bytes))).toBe(true);
  });

  it('refuses a label called __proto__ and leaves objects as they were', () => {
    const bytes = envelope('v1', 'Pod', '0a135a110a095f5f70726f746f5f5f120479657321');

    expect(refusalOf(bytes)).toMatchObject({ code: 'malformed' });
    expect(({} as Record<string, unknown>)['yes!']).toBeUndefined();
  });

  it('refuses messages that nest without end', () => {
    let schema: JsonObject = { type: 'object' };
    for (let depth = 0; depth < 300; depth++) schema = { not: schema };
    const definition = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {} };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
    const bytes = encodeProtobuf({ ...definition, spec: { versions: [version] } });

    expect(refusalOf(bytes)).toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('nested too deeply'),
    });
  });

  it('says that a kind is not known in the words of Kubernetes', () => {
    const refusal = refusalOf(envelope('v1', 'Gadget', ''));

    expect(isUnknownKind(refusal)).toBe(true);
    expect(refusal?.message).toBe('no kind "Gadget" is registered for version "v1" in scheme');
  });

  it('takes a body without a kind for what the caller expects', () => {
    const decoded = decodeProtobuf(envelope('', '', ''), { apiVersion: 'v1', kind: 'DeleteOptions' });

    expect(decoded).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions' });
  });

  it('skips fields of a newer version', () => {
    const bytes = envelope('v1', 'ServiceAccount', '0a030a0161f23f0178f83f05fd3f00000000');

    expect(decodeProtobuf(bytes)).toEqual({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } });
  });

  it('keeps integers that a number cannot hold', () => {
    const object = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 9_007_199_254_740_993n };

    expect(decodeProtobuf(encodeProtobuf(object))).toEqual(object);
  });

  it('reads lists', () => {
    const list = { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items: [pod()] };

    const { apiVersion: _version, kind: _kind, ...item } = pod();

    expect(decodeProtobuf(encodeProtobuf(list))).toEqual({ ...list, items: [item] });
  });
});

describe('encodeProtobuf', () => {
  it('writes fields in the order of their numbers, as Kubernetes does', () => {
    const bytes = encodeProtobuf({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      dryRun: ['All'],
      gracePeriodSeconds: 5,
    });

    expect(Buffer.from(bytes).toString('hex')).toBe(
      '6b3873000a130a027631120d44656c6574654f7074696f6e73120708052a03416c6c1a002200',
    );
  });

  it('refuses a value that its field cannot hold', () => {
    expect(() => encodeProtobuf({ apiVersion: 'v1', kind: 'Pod', spec: { containers: 'none' } })).toThrow(
      'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container',
    );
  });
});

it.each([
  { group: '', version: 'v1', kind: 'Pod', has: true },
  { group: '', version: 'v1', kind: 'PodList', has: true },
  { group: 'apps', version: 'v1', kind: 'DeleteOptions', has: true },
  { group: '', version: 'v1', kind: 'PodSpec', has: false },
  { group: '', version: 'v1', kind: 'constructor', has: false },
  { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine', has: false },
])('protobuf knows $group/$version $kind: $has', ({ has, ...kind }) => {
  expect(hasProtobuf(kind)).toBe(has);
});

function pod(): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { app: 'web' }, creationTimestamp: '2026-01-02T03:04:05Z' },
    spec: { containers: [{ name: 'web', image: 'nginx', resources: { limits: { cpu: '500m' } } }] },
    status: { phase: 'Running' },
  };
}

function envelope(apiVersion: string, kind: string, rawHex: string): Buffer {
  const meta = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))]);
  return Buffer.concat([Buffer.from('k8s\0'), field(1, meta), field(2, Buffer.from(rawHex, 'hex'))]);
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
}

function refusalOf(bytes: Uint8Array): KubernetesApiError | undefined {
  try {
    decodeProtobuf(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof KubernetesApiError) return error;
    throw error;
  }
}

function isObjectOrRefusal(bytes: Uint8Array): boolean {
  const refusal = refusalOf(bytes);
  return refusal === undefined || refusal instanceof KubernetesApiError;
}

/** Objects of all kinds, with fields of all types, in the form in which Kubernetes shows them. */
function anyObject(): fc.Arbitrary<JsonObject> {
  const kinds = packages.flatMap((source) =>
    Object.keys(source.types)
      .filter((name) => messageType(source.key, name).isKind && source.key !== 'meta')
      .map((kind) => ({
        apiVersion: source.group === '' ? source.version : `${source.group}/${source.version}`,
        kind,
      })),
  );
  return fc.constantFrom(...kinds).chain(({ apiVersion, kind }) => {
    const type = findMessageType(apiVersion, kind);
    if (type === undefined) throw new Error(`${apiVersion} ${kind} has no type`);
    return anyMessage(type, 5).map((object) => readObject({ ...object, apiVersion, kind }, type).object);
  });
}

function anyMessage(type: MessageType, depth: number): fc.Arbitrary<JsonObject> {
  const fields = type.shown.filter((part) => part.number !== 0);
  if (depth === 0 || fields.length === 0) return fc.constant({});
  return fc
    .subarray([...fields], { maxLength: Math.min(4, fields.length) })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map((part) => anyField(part, depth)))
        .map((values) => Object.fromEntries(chosen.map((part, index) => [part.name, values[index] ?? null]))),
    );
}

function anyField(part: Field, depth: number): fc.Arbitrary<JsonValue> {
  return anyValue(part.type, depth);
}

function anyValue(type: FieldType, depth: number): fc.Arbitrary<JsonValue> {
  switch (type.kind) {
    case 'list':
      return fc.array(anyValue(type.items, depth - 1), { minLength: 1, maxLength: 2 });
    case 'map':
      return fc
        .array(fc.tuple(fc.stringMatching(/^[a-z]{1,5}$/), anyValue(type.values, depth - 1)), {
          minLength: 1,
          maxLength: 2,
        })
        .map((entries) => Object.fromEntries(entries));
    case 'message':
      return anyMessage(messageType(type.package, type.name), depth - 1);
    case 'scalar':
      return anyScalar(type.scalar, depth);
  }
}

function anyScalar(scalar: ScalarName, depth: number): fc.Arbitrary<JsonValue> {
  const second = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1000).toISOString());
  switch (scalar) {
    case 'string':
      return fc.string();
    case 'bool':
      return fc.boolean();
    case 'int32':
      return fc.integer();
    case 'int64':
      return fc.maxSafeInteger();
    case 'double':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number));
    case 'bytes':
      return fc.uint8Array({ minLength: 1, maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'quantity':
      return fc.constantFrom('1', '500m', '1Gi', '0', '3e6', '12k');
    case 'intOrString':
      return fc.oneof(fc.integer(), fc.string());
    case 'time':
      return second.map((text) => `${text.slice(0, 19)}Z`);
    case 'microtime':
      return second.map((text) => `${text.slice(0, 19)}.123456Z`);
    case 'raw':
    case 'fields':
    case 'json':
      return fc.constantFrom<JsonValue>({ a: [1, null, 'x'] }, { b: true });
    case 'schemaOrBool':
      return fc.oneof(fc.boolean(), anyMessage(messageType('apiextensions', 'JSONSchemaProps'), depth - 1));
    case 'schemaOrArray':
      return anyMessage(messageType('apiextensions', 'JSONSchemaProps'), depth - 1);
    case 'schemaOrStrings':
      return fc.array(fc.string(), { minLength: 1, maxLength: 3 });
  }
}
