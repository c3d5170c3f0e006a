import { readExpression, typeScriptType, writeStatement } from './emit-value.ts';
import { importLines } from './import-lines.ts';
import { pascalCase } from './naming.ts';
import { GENERATED, indent } from './source-text.ts';
import type { Argument, Call, WireSchema } from './wire-schema.ts';

const PREAMBLE = [
  'const NO_BYTES = new Uint8Array(0);',
  '',
  'function writeNothing(): void {}',
  '',
  'function readNothing(): void {}',
  '',
].join('\n');

/** Argument and result types, and one constant per call that carries its encoder and decoder. */
export function emitProcedures(schema: WireSchema): string {
  const calls = callsOf(schema);
  const body = [PREAMBLE, ...calls.map(emitCall), emitTable(calls)].join('\n');
  return [GENERATED, ...importLines(body, schema), '', body].join('\n');
}

/** The calls of the schema, without the messages. */
export function callsOf(schema: WireSchema): Call[] {
  return schema.procedures.filter((procedure) => procedure.kind === 'call');
}

/** The arguments that a caller may give. */
export function visibleArguments(call: Call): readonly Argument[] {
  return call.args.filter((argument) => argument.preset?.fixed !== true);
}

/** Whether a caller may leave the argument out. */
export function isOptional(call: Call, argument: Argument): boolean {
  return argument.preset !== undefined || argument.type.kind === 'optional' || isParameterCount(call, argument);
}

/** The name of the type of a call's arguments. */
export function argsType(call: Call): string {
  return visibleArguments(call).length === 0 ? 'void' : `${pascalCase(call.name)}Args`;
}

/** The type of what a call gives: nothing, its only field, or all fields. */
export function resultType(call: Call): string {
  const [first, ...others] = call.result.filter((field) => !field.isCount);
  if (!first) return 'void';
  return others.length === 0 ? typeScriptType(first.type, 'result') : `${pascalCase(call.name)}Result`;
}

function isParameterCount(call: Call, argument: Argument): boolean {
  return call.countedBy !== undefined && argument.name === 'nparams';
}

function emitCall(call: Call): string {
  return [emitArgs(call), emitWriter(call), emitResult(call), emitReader(call)].filter(Boolean).join('\n');
}

function emitArgs(call: Call): string {
  const visible = visibleArguments(call);
  if (visible.length === 0) return '';
  const members = visible.map((argument) => {
    const base = typeScriptType(argument.type, 'argument');
    if (!isOptional(call, argument)) return `readonly ${argument.name}: ${base};`;
    const type = argument.type.kind === 'optional' ? base : `${base} | undefined`;
    return `readonly ${argument.name}?: ${type};`;
  });
  return [`export interface ${argsType(call)} {`, indent(members), '}', ''].join('\n');
}

function emitWriter(call: Call): string {
  if (call.args.length === 0) return '';
  const visible = visibleArguments(call);
  if (visible.length === 0) {
    return [
      `function write${pascalCase(call.name)}(writer: XdrWriter): void {`,
      indent(call.args.map((argument) => writeStatement(argument.type, valueOf(call, argument)))),
      '}',
      '',
    ].join('\n');
  }
  const statements = call.args.flatMap((argument) => {
    const statement = writeStatement(argument.type, valueOf(call, argument));
    return visible.includes(argument) && argument !== visible[0]
      ? [`field = '${argument.name}';`, statement]
      : [statement];
  });
  return [
    `function write${pascalCase(call.name)}(writer: XdrWriter, args: ${argsType(call)}): void {`,
    `  let field = '${visible[0]?.name}';`,
    '  try {',
    indent(indent(statements)),
    '  } catch (error) {',
    `    throw argumentError('${call.name}', field, error);`,
    '  }',
    '}',
    '',
  ].join('\n');
}

function valueOf(call: Call, argument: Argument): string {
  const { preset, type } = argument;
  const literal = (value: number): string => (type.kind === 'i64' || type.kind === 'u64' ? `${value}n` : `${value}`);
  if (isParameterCount(call, argument)) return `args.${argument.name} ?? 0`;
  if (!preset) return `args.${argument.name}`;
  if (preset.value !== 'empty') {
    return preset.fixed ? literal(preset.value) : `args.${argument.name} ?? ${literal(preset.value)}`;
  }
  return `args.${argument.name} ?? ${type.kind === 'list' ? '[]' : 'NO_BYTES'}`;
}

function emitResult(call: Call): string {
  const type = resultType(call);
  if (type !== `${pascalCase(call.name)}Result`) return '';
  const members = call.result
    .filter((field) => !field.isCount)
    .map((field) => `readonly ${field.name}: ${typeScriptType(field.type, 'result')};`);
  return [`export interface ${type} {`, indent(members), '}', ''].join('\n');
}

function emitReader(call: Call): string {
  if (call.result.length === 0) return '';
  const fields = call.result.filter((field) => !field.isCount);
  const head = `function read${pascalCase(call.name)}(reader: XdrReader): ${resultType(call)} {`;
  const [only] = fields;
  if (only && call.result.length === 1) return [head, `  return ${readExpression(only.type)};`, '}', ''].join('\n');
  if (fields.length === call.result.length) {
    const members = fields.map((field) => `${field.name}: ${readExpression(field.type)},`);
    return [head, '  return {', indent(indent(members)), '  };', '}', ''].join('\n');
  }
  const reads = call.result.map((field) =>
    field.isCount ? `${readExpression(field.type)};` : `const ${field.name} = ${readExpression(field.type)};`,
  );
  const value = fields.length === 1 ? only?.name : `{ ${fields.map((field) => field.name).join(', ')} }`;
  return [head, indent([...reads, `return ${value};`]), '}', ''].join('\n');
}

function emitTable(calls: readonly Call[]): string {
  return [
    '/** The type of `procedures`: every call by name. */',
    'export interface ProcedureTable {',
    indent(calls.map((call) => `readonly ${call.name}: ${constantType(call)};`)),
    '}',
    '',
    '/** Every call of the remote, QEMU and LXC programs, and those of the admin program that are used. */',
    'export const procedures: ProcedureTable = {',
    indent(calls.map(emitConstant)),
    '};',
    '',
  ].join('\n');
}

function constantType(call: Call): string {
  return `${call.stream ? 'StreamProcedure' : 'Procedure'}<${argsType(call)}, ${resultType(call)}>`;
}

function emitConstant(call: Call): string {
  const members = [
    `program: 0x${call.program.toString(16).padStart(8, '0')},`,
    `number: ${call.number},`,
    `name: '${call.name}',`,
    `isHighPriority: ${call.isHighPriority},`,
    `passesFileDescriptors: ${call.passesFileDescriptors},`,
    ...(call.stream ? [`stream: '${call.stream}',`] : []),
    `writeArgs: ${call.args.length === 0 ? 'writeNothing' : `write${pascalCase(call.name)}`},`,
    `readResult: ${call.result.length === 0 ? 'readNothing' : `read${pascalCase(call.name)}`},`,
  ];
  return [`${call.name}: {`, indent(members), '},'].join('\n');
}
