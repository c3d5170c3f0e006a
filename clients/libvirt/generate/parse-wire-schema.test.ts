import { describe, expect, it } from 'vitest';

import { parseWireSchema } from './parse-wire-schema.ts';
import { readSchema } from './read-schema.ts';

const REMOTE = 0x2000_8086;

describe('the schema files', () => {
  it('have all 456 procedures of the remote program, each number once', async () => {
    const { wire } = await readSchema();

    const numbers = wire.procedures.filter(({ program }) => program === REMOTE).map(({ number }) => number);

    expect(numbers.toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 456 }, (_, index) => index + 1),
    );
  });

  it.each([
    { program: 0x2000_8087, count: 7 },
    { program: 0x0006_8000, count: 1 },
  ])('have the $count procedures of program $program', async ({ program, count }) => {
    const { wire } = await readSchema();

    const numbers = wire.procedures.filter((procedure) => procedure.program === program).map(({ number }) => number);

    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  it('say which calls open a stream, and in which direction', async () => {
    const { wire } = await readSchema();

    const streams = wire.procedures.flatMap((procedure) =>
      procedure.kind === 'call' && procedure.stream ? [[procedure.name, procedure.stream]] : [],
    );

    expect(Object.fromEntries(streams)).toEqual({
      domainMigratePrepareTunnel: 'write',
      domainMigratePrepareTunnel3: 'write',
      domainMigratePrepareTunnel3Params: 'write',
      domainOpenChannel: 'both',
      domainOpenConsole: 'both',
      domainScreenshot: 'read',
      storageVolDownload: 'read',
      storageVolUpload: 'write',
    });
  });

  it('know 187 calls that the remote program serves with priority', async () => {
    const { wire } = await readSchema();

    const high = wire.procedures.filter(
      (procedure) => procedure.kind === 'call' && procedure.program === REMOTE && procedure.isHighPriority,
    );

    expect(high).toHaveLength(187);
  });

  it('give every event id of a kind of object one message', async () => {
    const { wire } = await readSchema();
    const ids = new Map<string, number[]>();
    for (const procedure of wire.procedures) {
      if (procedure.kind === 'message' && procedure.event) {
        const { object, id } = procedure.event;
        ids.set(
          object,
          [...(ids.get(object) ?? []), id].toSorted((left, right) => left - right),
        );
      }
    }

    expect(Object.fromEntries(ids)).toEqual({
      domain: Array.from({ length: 30 }, (_, index) => index),
      network: [0, 1],
      storagePool: [0, 1],
      nodeDevice: [0, 1],
      secret: [0, 1],
    });
  });
});

describe('parseWireSchema', () => {
  it('reads a call with all that can be said about it', () => {
    const [call] = parse(
      'program remote 0x10',
      'struct Domain',
      '  name string   # comment',
      'call 7 domainDoIt high stream=both descriptors internal counted=other',
      '  > domain Domain?',
      '  > flags u32 = 0',
      '  > needResults i32 := 1',
      '  > cookie opaque[9] = empty',
      '  < items Domain[5]',
      '  < count u32 count',
    ).procedures;

    expect(call).toEqual({
      kind: 'call',
      program: 16,
      number: 7,
      name: 'domainDoIt',
      isHighPriority: true,
      isInternal: true,
      passesFileDescriptors: true,
      stream: 'both',
      countedBy: 'other',
      args: [
        { name: 'domain', type: { kind: 'optional', item: { kind: 'struct', name: 'Domain' } }, preset: undefined },
        { name: 'flags', type: { kind: 'u32' }, preset: { value: 0, fixed: false } },
        { name: 'needResults', type: { kind: 'i32' }, preset: { value: 1, fixed: true } },
        { name: 'cookie', type: { kind: 'opaque', max: 9 }, preset: { value: 'empty', fixed: false } },
      ],
      result: [
        { name: 'items', type: { kind: 'list', item: { kind: 'struct', name: 'Domain' }, max: 5 }, isCount: false },
        { name: 'count', type: { kind: 'u32' }, isCount: true },
      ],
    });
  });

  it.each([
    { lines: ['  name string'], error: 'test.schema:1: an indented line needs a line at the margin before it' },
    { lines: ['procedure 1 x'], error: "test.schema:1: 'procedure' is not program, struct, call or message" },
    { lines: ['call one x'], error: "test.schema:1: the number of the call must be a whole number, not 'one'" },
    { lines: ['call 1'], error: 'test.schema:1: the name of the call is missing' },
    { lines: ['call 1 x fast'], error: "test.schema:1: 'fast' is not a mark of a call" },
    { lines: ['call 1 x', 'call 1 y'], error: 'test.schema:2: y: its name or number is taken' },
    { lines: ['call 1 x', 'call 2 x'], error: 'test.schema:2: x: its name or number is taken' },
    { lines: ['call 1 x', '  a u32'], error: "test.schema:2: a line of a call starts with '>' or '<', not 'a'" },
    { lines: ['call 1 x', '  > a'], error: 'test.schema:2: the type of a is missing' },
    { lines: ['call 1 x', '  > a int'], error: "test.schema:2: 'int' is not a type" },
    { lines: ['call 1 x', '  > a text[x]'], error: "test.schema:2: 'text[x]' is not a type" },
    { lines: ['call 1 x', '  > a parameters[3]'], error: "test.schema:2: 'parameters[3]' is not a type" },
    { lines: ['call 1 x', '  > a u32 == 3'], error: "test.schema:2: '=' or ':=' expected, not '=='" },
    { lines: ['call 1 x', '  > a u32 ='], error: 'test.schema:2: the value is missing' },
    { lines: ['call 1 x', '  < a u32 size'], error: "test.schema:2: 'size' is not 'count'" },
    { lines: ['call 1 x', '  > a u32', '  > a i32'], error: 'test.schema:3: a is there twice' },
    { lines: ['call 1 x', '  > a Domain[3]'], error: 'test.schema:2: there is no struct Domain' },
    { lines: ['struct A', 'struct A'], error: 'test.schema:2: struct A is there twice' },
    {
      lines: ['message 1 x domain'],
      error: "test.schema:1: a message is of OBJECT ID KIND, of 'callback', or of nothing",
    },
    {
      lines: ['message 1 x domain a kind'],
      error: "test.schema:1: the id of the event must be a whole number, not 'a'",
    },
  ])('says $error', ({ lines, error }) => {
    expect(() => parse(...lines)).toThrow(error);
  });
});

function parse(...lines: string[]): ReturnType<typeof parseWireSchema> {
  return parseWireSchema([{ file: 'test.schema', text: lines.join('\n') }]);
}
