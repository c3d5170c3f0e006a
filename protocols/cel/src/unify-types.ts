import { DYN, listOf, mapOf, optionalOf, typeOf, type CelType, type ParameterType } from './cel-type.ts';

/** What type parameters were found to stand for. */
export type Substitution = ReadonlyMap<string, CelType>;

/**
 * Whether each value of the second types can stand where the first are asked for. Returns the substitution with what
 * was learned about type parameters, or undefined.
 */
export function assignTypes(
  known: Substitution,
  targets: readonly CelType[],
  sources: readonly CelType[],
): Substitution | undefined {
  if (targets.length !== sources.length) return undefined;
  const learned = new Map(known);
  return areAssignable(learned, targets, sources) ? learned : undefined;
}

/** The type with its parameters replaced by what they stand for; free ones stay, or become dyn. */
export function substitute(known: Substitution, type: CelType, isFreeDyn: boolean): CelType {
  if (type.kind === 'parameter') {
    const found = known.get(type.name);
    if (found !== undefined) return substitute(known, found, isFreeDyn);
    return isFreeDyn ? DYN : type;
  }
  if (type.kind === 'list') {
    const element = substitute(known, type.element, isFreeDyn);
    return element === type.element ? type : listOf(element);
  }
  if (type.kind === 'map') {
    const key = substitute(known, type.key, isFreeDyn);
    const value = substitute(known, type.value, isFreeDyn);
    return key === type.key && value === type.value ? type : mapOf(key, value);
  }
  if (type.kind === 'optional') {
    const value = substitute(known, type.value, isFreeDyn);
    return value === type.value ? type : optionalOf(value);
  }
  return type.kind === 'type' && type.of !== undefined ? typeOf(substitute(known, type.of, isFreeDyn)) : type;
}

/** Of two types of which one can stand for the other, the one that says less. */
export function mostGeneral(left: CelType, right: CelType): CelType {
  return isEqualOrLessSpecific(left, right) ? left : right;
}

export function isSameType(left: CelType, right: CelType): boolean {
  if (left === right) return true;
  if (left.kind !== right.kind) return false;
  if (left.kind === 'list' && right.kind === 'list') return isSameType(left.element, right.element);
  if (left.kind === 'map' && right.kind === 'map') {
    return isSameType(left.key, right.key) && isSameType(left.value, right.value);
  }
  if (left.kind === 'optional' && right.kind === 'optional') return isSameType(left.value, right.value);
  if (left.kind === 'type' && right.kind === 'type') return isSameType(left.of ?? DYN, right.of ?? DYN);
  return !('name' in left && 'name' in right) || left.name === right.name;
}

function isFree(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

function areAssignable(
  learned: Map<string, CelType>,
  targets: readonly CelType[],
  sources: readonly CelType[],
): boolean {
  return targets.every((target, index) => isAssignable(learned, target, sources[index] ?? DYN));
}

function isAssignable(learned: Map<string, CelType>, target: CelType, source: CelType): boolean {
  if (source.kind === 'parameter') {
    const found = bindParameter(learned, target, source);
    if (found.isValid) return true;
    if (found.isBound) return false;
  }
  if (target.kind === 'parameter') return bindParameter(learned, source, target).isValid;
  if (isFree(target) || isFree(source)) return true;
  if (target.kind === 'null') return isNullable(source);
  if (source.kind === 'null') return isNullable(target);
  if (target.kind === 'type') return source.kind === 'type';
  return areParametersAssignable(learned, target, source);
}

function areParametersAssignable(learned: Map<string, CelType>, target: CelType, source: CelType): boolean {
  if (target.kind === 'list' && source.kind === 'list') return isAssignable(learned, target.element, source.element);
  if (target.kind === 'map' && source.kind === 'map') {
    return isAssignable(learned, target.key, source.key) && isAssignable(learned, target.value, source.value);
  }
  if (target.kind === 'optional' && source.kind === 'optional')
    return isAssignable(learned, target.value, source.value);
  return isSameType(target, source);
}

// Objects and library types accept null, as protobuf messages did when CEL was young.
function isNullable(type: CelType): boolean {
  return ['null', 'object', 'opaque', 'optional', 'timestamp', 'duration'].includes(type.kind);
}

function bindParameter(
  learned: Map<string, CelType>,
  type: CelType,
  parameter: ParameterType,
): { readonly isValid: boolean; readonly isBound: boolean } {
  if (isSameType(type, parameter)) return { isValid: true, isBound: true };
  const bound = learned.get(parameter.name);
  if (bound === undefined) {
    if (isMentioned(learned, parameter, type)) return { isValid: false, isBound: false };
    learned.set(parameter.name, type);
    return { isValid: true, isBound: false };
  }
  if (isSameType(type, bound)) return { isValid: true, isBound: true };
  if (!isAssignable(learned, type, bound)) return { isValid: false, isBound: true };
  const general = mostGeneral(type, bound);
  if (!isMentioned(learned, parameter, general)) learned.set(parameter.name, general);
  return { isValid: true, isBound: true };
}

function isMentioned(learned: Substitution, parameter: ParameterType, within: CelType): boolean {
  if (isSameType(parameter, within)) return true;
  if (within.kind === 'parameter') {
    const bound = learned.get(within.name);
    return bound !== undefined && isMentioned(learned, parameter, bound);
  }
  return parametersOf(within).some((type) => isMentioned(learned, parameter, type));
}

function parametersOf(type: CelType): readonly CelType[] {
  if (type.kind === 'list') return [type.element];
  if (type.kind === 'map') return [type.key, type.value];
  if (type.kind === 'optional') return [type.value];
  return type.kind === 'type' && type.of !== undefined ? [type.of] : [];
}

function isEqualOrLessSpecific(left: CelType, right: CelType): boolean {
  if (isFree(left) || left.kind === 'parameter') return true;
  if (isFree(right) || right.kind === 'parameter') return false;
  if (left.kind === 'list' && right.kind === 'list') return isEqualOrLessSpecific(left.element, right.element);
  if (left.kind === 'map' && right.kind === 'map') {
    return isEqualOrLessSpecific(left.key, right.key) && isEqualOrLessSpecific(left.value, right.value);
  }
  if (left.kind === 'optional' && right.kind === 'optional') return isEqualOrLessSpecific(left.value, right.value);
  if (left.kind === 'type' && right.kind === 'type') return true;
  return isSameType(left, right);
}
