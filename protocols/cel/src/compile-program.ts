import { ValueList, ValueMap } from './built-values.ts';
import type { CelType } from './cel-type.ts';
import { CelFailure, CelOptional, type CelValue } from './cel-value.ts';
import type { CheckedTree } from './check.ts';
import { compileCall, compileLogical, compileNotStrictlyFalse, compileOptionalOr } from './compile-call.ts';
import {
  ACCUMULATOR,
  OPERATORS,
  type CallNode,
  type ComprehensionNode,
  type ExpressionNode,
  type ListNode,
  type MapNode,
  type SelectNode,
} from './expression-tree.ts';
import { chargeIfFound, fieldFinder, loadVariable, optionalField } from './find-field.ts';
import { ConstantFolder } from './fold-constants.ts';
import { charge, type Step } from './frame.ts';
import { findFunction } from './function-table.ts';
import { indexInto, optionalIndexInto } from './operator-library.ts';
import { accumulatorStep, runLoop } from './run-loop.ts';

const LIST_COST = 10;
const MAP_COST = 30;

/** Compiles a checked tree to closures that compute its value and count what that costs. */
export function compileProgram(tree: CheckedTree, variables: Readonly<Record<string, CelType>>): Step {
  return new ProgramCompiler(tree, variables).compile(tree.root);
}

class ProgramCompiler {
  readonly #tree: CheckedTree;
  readonly #constants: ConstantFolder;
  readonly #variables: Readonly<Record<string, CelType>>;
  #scope = new Map<string, number>();
  #slotCount = 0;

  constructor(tree: CheckedTree, variables: Readonly<Record<string, CelType>>) {
    this.#tree = tree;
    this.#variables = variables;
    this.#constants = new ConstantFolder(tree);
    for (const name of Object.keys(variables)) this.#scope.set(name, this.#slotCount++);
  }

  compile(node: ExpressionNode): Step {
    const constant = this.#constants.constantOf(node);
    if (constant !== undefined) return () => constant;
    if (isAttribute(node)) return this.#attribute(node, 1);
    switch (node.kind) {
      case 'select':
        return this.#presence(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'comprehension':
        return isBinding(node) ? this.#binding(node) : this.#comprehension(node);
      case 'ident':
      case 'literal':
      case 'struct':
        return () => new CelFailure('no such overload');
    }
  }

  // A variable with its selections and indexes is charged one unit as a whole and one for each of those. Where it is a
  // branch of a conditional or an index itself, the unit for the whole is not charged.
  #attribute(node: ExpressionNode, base: 0 | 1): Step {
    const constant = this.#constants.constantOf(node);
    if (constant !== undefined) return () => constant;
    if (node.kind === 'ident' || this.#tree.names.has(node)) {
      if (node.kind !== 'call') return this.#variable(this.#tree.names.get(node) ?? '', base);
    }
    if (node.kind === 'select') return this.#selection(node, base);
    if (node.kind !== 'call') return this.compile(node);
    if (node.function === OPERATORS.conditional) return this.#conditional(node);
    return this.#indexing(node, base);
  }

  #variable(name: string, base: 0 | 1): Step {
    const slot = this.#scope.get(name);
    if (slot === undefined) return () => new CelFailure(`no such attribute(s): ${name}`);
    const type =
      Object.hasOwn(this.#variables, name) && slot < Object.keys(this.#variables).length
        ? this.#variables[name]
        : undefined;
    return (frame) => {
      if (base === 1) charge(frame, 1);
      const value = frame.slots[slot];
      if (value !== undefined || type === undefined) return value ?? null;
      return loadVariable(frame, slot, name, type);
    };
  }

  #operand(node: ExpressionNode, base: 0 | 1): Step {
    if (isAttribute(node)) return this.#attribute(node, base);
    const step = this.compile(node);
    if (base === 0) return step;
    return (frame) => {
      const value = step(frame);
      charge(frame, 1);
      return value;
    };
  }

  #selection(node: SelectNode, base: 0 | 1): Step {
    const operand = this.#operand(node.operand, base);
    const find = fieldFinder(this.#tree.types.get(node.operand), node.field);
    return (frame) => {
      const value = operand(frame);
      if (value instanceof CelFailure) return value;
      if (value instanceof CelOptional) return chargeIfFound(frame, optionalField(value, find));
      charge(frame, 1);
      const found = find(value);
      return found === undefined ? new CelFailure(`no such key: ${node.field}`) : found;
    };
  }

  #presence(node: SelectNode): Step {
    const operand = this.#operand(node.operand, 1);
    const find = fieldFinder(this.#tree.types.get(node.operand), node.field);
    return (frame) => {
      const value = operand(frame);
      if (value instanceof CelFailure) return value;
      const inner = value instanceof CelOptional ? value.value : value;
      if (inner === undefined) return false;
      const found = find(inner);
      return found instanceof CelFailure ? found : found !== undefined;
    };
  }

  #indexing(node: CallNode, base: 0 | 1): Step {
    const [container, index] = node.args;
    if (container === undefined || index === undefined) return () => new CelFailure('no such overload');
    const operand = this.#operand(container, base);
    if (node.function === OPERATORS.optionalSelect) return this.#optionalSelection(container, index, operand);
    const key = this.#operand(index, 0);
    const isOptional = node.function === OPERATORS.optionalIndex;
    return (frame) => {
      const value = operand(frame);
      const position = key(frame);
      if (value instanceof CelFailure) return value;
      if (position instanceof CelFailure) return position;
      if (isOptional || value instanceof CelOptional) return chargeIfFound(frame, optionalIndexInto(value, position));
      charge(frame, 1);
      return indexInto(value, position);
    };
  }

  #optionalSelection(container: ExpressionNode, field: ExpressionNode, operand: Step): Step {
    const name = field.kind === 'literal' && typeof field.value === 'string' ? field.value : '';
    const find = fieldFinder(this.#tree.types.get(container), name);
    return (frame) => {
      const value = operand(frame);
      if (value instanceof CelFailure) return value;
      return chargeIfFound(frame, optionalField(value instanceof CelOptional ? value : new CelOptional(value), find));
    };
  }

  #conditional(node: CallNode): Step {
    const [condition, yes, no] = node.args;
    if (condition === undefined || yes === undefined || no === undefined)
      return () => new CelFailure('no such overload');
    const test = this.compile(condition);
    const whenTrue = this.#operand(yes, 0);
    const whenFalse = this.#operand(no, 0);
    return (frame) => {
      const result = test(frame);
      if (result === true) return whenTrue(frame);
      if (result === false) return whenFalse(frame);
      return result instanceof CelFailure ? result : new CelFailure('no such overload');
    };
  }

  #call(node: CallNode): Step {
    const name = this.#tree.names.get(node) ?? node.function;
    if (name === OPERATORS.and || name === OPERATORS.or) {
      return compileLogical(
        node.args.map((argument) => this.compile(argument)),
        name === OPERATORS.or,
      );
    }
    const isNamespaced = this.#tree.names.has(node);
    const nodes = node.target === undefined || isNamespaced ? node.args : [node.target, ...node.args];
    const [first, second] = nodes;
    if ((name === 'or' || name === 'orValue') && first !== undefined && second !== undefined) {
      return compileOptionalOr(this.compile(first), this.compile(second), name === 'orValue');
    }
    if (name === OPERATORS.notStrictlyFalse && first !== undefined) return compileNotStrictlyFalse(this.compile(first));
    if (name === '@in' && second !== undefined && this.#isConstantSet(second)) return this.#membership(nodes);
    return compileCall({
      name,
      overloads: this.#tree.overloads.get(node) ?? findFunction(name) ?? [],
      args: nodes.map((argument) => this.compile(argument)),
      constants: nodes.map((argument) => this.#constants.constantOf(argument)),
    });
  }

  #isConstantSet(node: ExpressionNode): boolean {
    const list = this.#constants.constantOf(node);
    if (!(list instanceof ValueList)) return false;
    return list.elements.every((element) => ['string', 'bigint', 'boolean'].includes(typeof element));
  }

  // Whether a value is among constants is looked up, so only the value itself is charged.
  #membership([value, container]: readonly ExpressionNode[]): Step {
    const list = container === undefined ? undefined : this.#constants.constantOf(container);
    if (value === undefined || !(list instanceof ValueList)) return () => new CelFailure('no such overload');
    if (list.size === 0) return () => false;
    const known = new Set<CelValue>(list.elements);
    const step = this.compile(value);
    return (frame) => {
      const wanted = step(frame);
      if (wanted instanceof CelFailure) return wanted;
      if (typeof wanted === 'number' && Number.isInteger(wanted)) return known.has(BigInt(wanted));
      return known.has(wanted);
    };
  }

  #list(node: ListNode): Step {
    const steps = node.elements.map((element) => this.compile(element));
    return (frame) => {
      const elements: CelValue[] = [];
      for (const [index, step] of steps.entries()) {
        const value = step(frame);
        if (value instanceof CelFailure) return value;
        const isPresent = !node.optional.has(index) || !(value instanceof CelOptional) || value.value !== undefined;
        if (isPresent)
          elements.push(node.optional.has(index) && value instanceof CelOptional ? (value.value ?? null) : value);
      }
      charge(frame, LIST_COST);
      return new ValueList(elements);
    };
  }

  #map(node: MapNode): Step {
    const steps = node.entries.map(
      (entry) => [this.compile(entry.key), this.compile(entry.value), entry.isOptional] as const,
    );
    return (frame) => {
      const entries: (readonly [CelValue, CelValue])[] = [];
      for (const [keyStep, valueStep, isOptional] of steps) {
        const key = keyStep(frame);
        const value = valueStep(frame);
        if (key instanceof CelFailure) return key;
        if (value instanceof CelFailure) return value;
        if (!isOptional || !(value instanceof CelOptional)) entries.push([key, value]);
        else if (value.value !== undefined) entries.push([key, value.value]);
      }
      charge(frame, MAP_COST);
      return ValueMap.of(entries);
    };
  }

  #binding(node: ComprehensionNode): Step {
    const init = this.compile(node.init);
    const slot = this.#slotCount++;
    const outer = this.#scope;
    this.#scope = new Map([...outer, [node.accumulator, slot]]);
    const result = this.compile(node.result);
    this.#scope = outer;
    return (frame) => {
      frame.slots[slot] = init(frame);
      return result(frame);
    };
  }

  #comprehension(node: ComprehensionNode): Step {
    const range = this.compile(node.range);
    const init = accumulatorStep(node, this.compile(node.init));
    const outer = this.#scope;
    const accumulator = this.#slotCount++;
    const variable = this.#slotCount++;
    const variable2 = this.#slotCount++;
    const withAccumulator = new Map([...outer, [ACCUMULATOR, accumulator]] as const);
    this.#scope = new Map([...withAccumulator, [node.variable, variable]]);
    if (node.variable2 !== undefined) this.#scope.set(node.variable2, variable2);
    const condition = this.compile(node.condition);
    const step = this.compile(node.step);
    this.#scope = withAccumulator;
    const result = this.compile(node.result);
    this.#scope = outer;
    const slots = { accumulator, variable, variable2: node.variable2 === undefined ? undefined : variable2 };
    return (frame) => runLoop(frame, { range, init, condition, step, result, slots });
  }
}

function isAttribute(node: ExpressionNode): boolean {
  if (node.kind === 'ident') return true;
  if (node.kind === 'select') return !node.isTest;
  if (node.kind !== 'call' || node.target !== undefined) return false;
  const attributes: readonly string[] = [
    OPERATORS.index,
    OPERATORS.optionalIndex,
    OPERATORS.optionalSelect,
    OPERATORS.conditional,
  ];
  return attributes.includes(node.function);
}

function isBinding(node: ComprehensionNode): boolean {
  return node.variable === '#unused';
}
