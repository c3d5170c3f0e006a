import { argsType, callsOf, isOptional, resultType, visibleArguments } from './emit-procedures.ts';
import { typeScriptType } from './emit-value.ts';
import { spaced } from './naming.ts';
import { GENERATED, indent, usedNames } from './source-text.ts';
import type { Call, WireSchema } from './wire-schema.ts';

/** The abstract class with one method per call; a connection adds how calls travel. */
export function emitMethods(schema: WireSchema): string {
  const body = [
    '/**',
    ' * A method for every call that libvirt knows, except those that a connection makes by itself. `flags` may always be',
    ' * left out; a result with one field is given as it is; a call without a result resolves when the daemon is done.',
    ' */',
    'export abstract class RemoteProcedures {',
    '  protected abstract call<Args, Result>(',
    '    procedure: Procedure<Args, Result>,',
    '    args: Args,',
    '    options?: CallOptions,',
    '  ): Promise<Result>;',
    '',
    '  protected abstract openStream<Args, Result>(',
    '    procedure: StreamProcedure<Args, Result>,',
    '    args: Args,',
    '    options?: CallOptions,',
    '  ): Promise<OpenedStream<Result>>;',
    '',
    callsOf(schema)
      .filter((call) => !call.isInternal)
      .map((call) => indent([documentation(call), emitMethod(call)]))
      .join('\n\n'),
    '}',
    '',
  ].join('\n');
  return [GENERATED, ...imports(body, schema), '', body].join('\n');
}

function imports(body: string, schema: WireSchema): string[] {
  const calls = callsOf(schema);
  const structs = usedNames(body, [...schema.structs.keys()]);
  const shapes = usedNames(body, calls.flatMap((call) => [argsType(call), resultType(call)]).filter(isOwnType));
  const sets = [...new Set(body.match(/\b\w+Parameters(?=>)/g))].toSorted();
  return [
    "import type { LibvirtStream, OpenedStream } from '../libvirt-stream.ts';",
    "import type { CallOptions, Procedure, StreamProcedure } from '../procedure.ts';",
    "import type { Counters, TypedParameterResult } from '../typed-parameters.ts';",
    `import type { ${sets.join(', ')} } from './parameter-sets.gen.ts';`,
    "import { procedures } from './procedures.gen.ts';",
    `import type { ${shapes.join(', ')} } from './procedures.gen.ts';`,
    `import type { ${structs.join(', ')} } from './structs.gen.ts';`,
  ];
}

function isOwnType(name: string): boolean {
  return /^[A-Z]\w*(Args|Result)$/.test(name);
}

function documentation(call: Call): string {
  const fields = call.result.filter((field) => !field.isCount);
  const sentences = [`Procedure ${call.number}: ${spaced(call.name)}.`];
  if (fields.length === 1 && call.countedBy === undefined) sentences.push(`Gives \`${fields[0]?.name}\`.`);
  if (call.countedBy) sentences.push('Asks for the number of parameters first, unless `nparams` says it.');
  if (call.stream) sentences.push(STREAM_WORDS[call.stream]);
  if (call.isHighPriority) sentences.push('Served even when all ordinary workers of the daemon are busy.');
  const text = sentences.join(' ');
  if (!call.passesFileDescriptors) return `/** ${text} */`;
  return `/**\n * ${text}\n * ${DESCRIPTOR_WORDS}\n */`;
}

const STREAM_WORDS = {
  read: 'Opens a stream to read from.',
  write: 'Opens a stream to write to.',
  both: 'Opens a stream to read from and write to.',
} as const;

const DESCRIPTOR_WORDS =
  'It passes file descriptors, which Node.js cannot do: the connection refuses it with `unsupported`.';

function emitMethod(call: Call): string {
  const parameters = [...argsParameter(call), 'options?: CallOptions'].join(', ');
  const args = visibleArguments(call).length === 0 ? 'undefined' : 'args';
  const constant = `procedures.${call.name}`;
  if (call.stream) return emitStreamMethod(call, parameters);
  if (call.countedBy) return emitCountedMethod(call, parameters);
  return [
    `${call.name}(${parameters}): Promise<${resultType(call)}> {`,
    `  return this.call(${constant}, ${args}, options);`,
    '}',
  ].join('\n');
}

function argsParameter(call: Call): string[] {
  const visible = visibleArguments(call);
  if (visible.length === 0) return [];
  const canBeEmpty = visible.every((argument) => isOptional(call, argument));
  return [`args: ${argsType(call)}${canBeEmpty ? ' = {}' : ''}`];
}

function emitStreamMethod(call: Call, parameters: string): string {
  const result = resultType(call);
  if (result !== 'void') {
    return [
      `${call.name}(${parameters}): Promise<OpenedStream<${result}>> {`,
      `  return this.openStream(procedures.${call.name}, args, options);`,
      '}',
    ].join('\n');
  }
  return [
    `async ${call.name}(${parameters}): Promise<LibvirtStream> {`,
    `  const opened = await this.openStream(procedures.${call.name}, args, options);`,
    '  return opened.stream;',
    '}',
  ].join('\n');
}

function emitCountedMethod(call: Call, parameters: string): string {
  const constant = `procedures.${call.name}`;
  const isOwnCount = call.countedBy === call.name;
  const result = isOwnCount ? parametersType(call) : resultType(call);
  const count = isOwnCount
    ? `(await this.call(${constant}, { ...args, nparams: 0 }, options)).nparams`
    : `(await this.${call.countedBy}({ domain: args.domain }, options)).nparams`;
  const none = result.startsWith('readonly') ? '[]' : '{}';
  return [
    `async ${call.name}(${parameters}): Promise<${result}> {`,
    `  const nparams = args.nparams ?? ${count};`,
    `  if (nparams <= 0) return ${none};`,
    `  const result = await this.call(${constant}, { ...args, nparams }, options);`,
    `  return ${isOwnCount ? 'result.params' : 'result'};`,
    '}',
  ].join('\n');
}

function parametersType(call: Call): string {
  const parameters = call.result.find((field) => field.name === 'params');
  return parameters ? typeScriptType(parameters.type, 'result') : 'void';
}
