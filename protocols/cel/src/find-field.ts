import { DYN, fieldOf, type CelType } from './cel-type.ts';
import { CelFailure, CelMap, CelOptional, NONE, type CelOutcome, type CelValue } from './cel-value.ts';
import { charge, type Frame } from './frame.ts';
import { convertJson } from './from-json.ts';
import { JsonMap } from './json-values.ts';

/** Looks a field up in a value; undefined where there is none. */
export type FindField = (value: CelValue) => CelOutcome | undefined;

/** Makes the function that finds a field. One of a known type is found by its name in JSON, without unescaping it. */
export function fieldFinder(operandType: CelType = DYN, field: string): FindField {
  const type = operandType.kind === 'optional' ? operandType.value : operandType;
  const known = type.kind === 'object' ? fieldOf(type, field) : undefined;
  const name = known?.name;
  const convert = known?.type.convert;
  return (value) => {
    if (name !== undefined && convert !== undefined && value instanceof JsonMap) return value.findWith(name, convert);
    return value instanceof CelMap ? value.find(field) : new CelFailure('no such overload');
  };
}

/** The field of a value that may be absent, as an optional. */
export function optionalField(optional: CelOptional, find: FindField): CelOutcome {
  if (optional.value === undefined) return NONE;
  const found = find(optional.value);
  if (found === undefined) return NONE;
  return found instanceof CelFailure ? found : new CelOptional(found);
}

/** Looking for what is not there is free where that is no failure. */
export function chargeIfFound(frame: Frame, found: CelOutcome): CelOutcome {
  if (found !== NONE) charge(frame, 1);
  return found;
}

/** Converts a variable when it is first used, and keeps the value for the rest of the evaluation. */
export function loadVariable(frame: Frame, slot: number, name: string, type: CelType): CelOutcome {
  const json = Object.hasOwn(frame.inputs, name) ? frame.inputs[name] : undefined;
  if (json === undefined && type.kind !== 'optional') return new CelFailure(`no such attribute(s): ${name}`);
  const value = convertJson(json, type);
  frame.slots[slot] = value;
  return value;
}
