import { isDeepStrictEqual } from 'node:util';

import { XdrError, XdrReader, XdrWriter } from '@smalt/xdr';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { eventMessages } from '../src/generated/events.gen.ts';
import { procedures } from '../src/generated/procedures.gen.ts';
import type { EventMessage, Procedure } from '../src/procedure.ts';
import { arbitraryFields } from './arbitrary-wire-value.ts';
import { SchemaInterpreter } from './interpret.ts';
import { publicFields, publicValue, taggedParameters } from './public-value.ts';
import { readSchema } from './read-schema.ts';
import type { Argument, Call, Field, Message } from './wire-schema.ts';
import type { WireRecord, WireValue } from './wire-value.ts';

const schema = await readSchema();
const interpreter = new SchemaInterpreter(schema.wire);
const calls = schema.wire.procedures.filter((procedure) => procedure.kind === 'call');
const messages = schema.wire.procedures.filter((procedure) => procedure.kind === 'message');

describe('the arguments of', () => {
  it.each(calls)('$name arrive as they were given', (call) => {
    const procedure = procedureOf(call);
    const given = fc.tuple(arbitraryFields(schema, call.args), fc.infiniteStream(fc.boolean()));

    fc.assert(
      fc.property(given, ([wire, coin]) => {
        const left = new Set(call.args.filter((argument) => canLeaveOut(argument) && coin.next().value));
        const writer = new XdrWriter();

        procedure.writeArgs(writer, publicArgs(call, wire, left));
        const reader = new XdrReader(writer.take());

        expect(interpreter.readFields(reader, call.args)).toEqual(onTheWire(call, wire, left));
        reader.end();
      }),
      { numRuns: 30 },
    );
  });
});

describe('the result of', () => {
  it.each(calls)('$name is read as the daemon sent it', (call) => {
    const procedure = procedureOf(call);

    fc.assert(
      fc.property(arbitraryFields(schema, call.result), (wire) => {
        const reader = new XdrReader(written(call.result, wire));

        const result = withPlainBytes(procedure.readResult(reader));

        expect(isDeepStrictEqual(result, publicResult(call, wire))).toBe(true);
        reader.end();
      }),
      { numRuns: 30 },
    );
  });

  it.each(calls.filter((call) => call.result.length > 0))('$name is refused when it is cut off or damaged', (call) => {
    const property = brokenBytes(call.result, procedureOf(call).readResult);

    expect(() => fc.assert(property, { numRuns: 30 })).not.toThrow();
  });
});

describe('the message', () => {
  it.each(messages)('$name is read as the daemon sent it', (message) => {
    const { read } = messageOf(message);
    const fields = wireFields(message);

    fc.assert(
      fc.property(arbitraryFields(schema, fields), (wire) => {
        const reader = new XdrReader(written(fields, wire));

        const payload = withPlainBytes(read(reader));

        expect(isDeepStrictEqual(payload, publicMessage(message, wire))).toBe(true);
        reader.end();
      }),
      { numRuns: 30 },
    );
  });

  it.each(messages)('$name is refused when it is cut off or damaged', (message) => {
    const property = brokenBytes(wireFields(message), messageOf(message).read);

    expect(() => fc.assert(property, { numRuns: 30 })).not.toThrow();
  });
});

it('has a constant for every procedure of the schema, and no other', () => {
  expect(Object.keys(procedures)).toEqual(calls.map((call) => call.name));
  expect(Object.keys(eventMessages)).toEqual(messages.map((message) => message.name));
});

function brokenBytes(fields: readonly Field[], read: (reader: XdrReader) => unknown): fc.IProperty<unknown> {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const damage = fc.record({ wire: arbitraryFields(schema, fields), cut: share, at: share, byte: fc.nat(255) });
  return fc.property(damage, ({ wire, cut, at, byte }) => {
    const bytes = written(fields, wire);
    const short = bytes.subarray(0, Math.floor(cut * bytes.length));
    const damaged = Buffer.from(bytes);
    damaged[Math.floor(at * bytes.length)] = byte;

    expect(errorOf(() => read(new XdrReader(short)))).toBeInstanceOf(XdrError);
    expect(errorOf(() => read(new XdrReader(damaged))) ?? new XdrError('invalid', '')).toBeInstanceOf(XdrError);
  });
}

function errorOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

function canLeaveOut(argument: Argument): boolean {
  return argument.preset !== undefined && !argument.preset.fixed;
}

function publicArgs(call: Call, wire: WireRecord, left: ReadonlySet<Argument>): Record<string, unknown> | undefined {
  const visible = call.args.filter((argument) => argument.preset?.fixed !== true && !left.has(argument));
  const args = visible.map(({ name, type }) => [
    name,
    type.kind === 'parameters' ? taggedParameters(wire[name]) : publicValue(schema.wire, type, wire[name]),
  ]);
  return call.args.every((argument) => argument.preset?.fixed) ? undefined : Object.fromEntries(args);
}

function onTheWire(call: Call, wire: WireRecord, left: ReadonlySet<Argument>): WireRecord {
  const expected: Record<string, WireValue> = {};
  for (const argument of call.args) {
    const { name, type, preset } = argument;
    if (preset && (preset.fixed || left.has(argument))) expected[name] = presetOnTheWire(argument);
    else expected[name] = type.kind === 'parameters' ? sameFieldsTogether(wire[name]) : wire[name];
  }
  return expected;
}

function presetOnTheWire({ type, preset }: Argument): WireValue {
  if (preset?.value === 'empty') return type.kind === 'list' ? [] : new Uint8Array(0);
  return type.kind === 'u64' || type.kind === 'i64' ? BigInt(preset?.value ?? 0) : preset?.value;
}

// An object has each field once, so the values of a repeated one follow each other on the wire.
function sameFieldsTogether(value: WireValue): WireValue {
  const parameters = value as readonly WireRecord[];
  return [...Map.groupBy(parameters, (parameter) => parameter['field']).values()].flat();
}

function publicResult(call: Call, wire: WireRecord): unknown {
  const fields = call.result.filter((field) => !field.isCount);
  const [only] = fields;
  if (!only) return undefined;
  return fields.length === 1
    ? publicValue(schema.wire, only.type, wire[only.name])
    : publicFields(schema.wire, fields, wire);
}

function publicMessage(message: Message, wire: WireRecord): unknown {
  const fields = publicFields(schema.wire, message.fields, wire);
  const payload = message.event ? { kind: message.event.kind, ...fields } : fields;
  return message.hasCallbackID ? { callbackID: wire['callbackID'], payload } : payload;
}

function wireFields(message: Message): readonly Field[] {
  return message.hasCallbackID ? [{ name: 'callbackID', type: { kind: 'i32' } }, ...message.fields] : message.fields;
}

function written(fields: readonly Field[], wire: WireRecord): Buffer {
  const writer = new XdrWriter();
  interpreter.writeFields(writer, fields, wire);
  return writer.take();
}

// A Buffer and a Uint8Array with the same bytes are not equal in an assertion.
function withPlainBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return value.map(withPlainBytes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withPlainBytes(field)]));
}

function procedureOf(call: Call): Procedure<unknown, unknown> {
  return procedures[call.name as keyof typeof procedures] as Procedure<unknown, unknown>;
}

function messageOf(message: Message): EventMessage<unknown> {
  return eventMessages[message.name as keyof typeof eventMessages];
}
