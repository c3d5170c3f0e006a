import { emitConstants } from './emit-constants.ts';
import { emitEvents } from './emit-events.ts';
import { emitMethods } from './emit-methods.ts';
import { emitParameterSets } from './emit-parameter-sets.ts';
import { emitProcedures } from './emit-procedures.ts';
import { emitStructs } from './emit-structs.ts';
import type { Schema } from './read-schema.ts';
import type { WireSchema } from './wire-schema.ts';

/** The generated files by name. The same schema always gives the same text. */
export function generateSources(schema: Schema): ReadonlyMap<string, string> {
  const { wire, parameterSets, constants } = schema;
  checkSets(schema);
  return new Map([
    ['constants.gen.ts', emitConstants(constants)],
    ['events.gen.ts', emitEvents(wire)],
    ['parameter-sets.gen.ts', emitParameterSets(parameterSets.values(), setsSentByClients(wire))],
    ['procedures.gen.ts', emitProcedures(wire)],
    ['remote-procedures.gen.ts', emitMethods(wire)],
    ['structs.gen.ts', emitStructs(wire)],
  ]);
}

function checkSets({ wire, parameterSets }: Schema): void {
  for (const procedure of wire.procedures) {
    const fields = procedure.kind === 'call' ? [...procedure.args, ...procedure.result] : procedure.fields;
    for (const { type } of fields) {
      if ('set' in type && !parameterSets.has(type.set)) {
        throw new Error(`${procedure.name}: there is no set ${type.set} of typed parameters`);
      }
    }
  }
}

function setsSentByClients(wire: WireSchema): ReadonlySet<string> {
  const args = wire.procedures.flatMap((procedure) => (procedure.kind === 'call' ? procedure.args : []));
  return new Set(args.flatMap(({ type }) => ('set' in type ? [type.set] : [])));
}
