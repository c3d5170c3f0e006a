import { DYN, type CelType } from './cel-type.ts';
import { exactly, ONE, product, scaled, sum, union, UNKNOWN, ZERO, type CostRange } from './cost-range.ts';
import { estimateLibraryCall, type ArgumentFacts, type CallEstimate, type EstimatedCall } from './estimate-call.ts';
import {
  ACCUMULATOR,
  OPERATORS,
  type CallNode,
  type ComprehensionNode,
  type ExpressionNode,
  type SelectNode,
} from './expression-tree.ts';
import { estimateStandardCall } from './estimate-standard-call.ts';
import type { Expression } from './expression.ts';
import { isScalar, writtenSize } from './known-size.ts';

const STRING_FACTOR = 0.1;
const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;
const MAX_REQUEST_BYTES = 3 * 1024 * 1024;

/** The least and the most that an evaluation can cost, from the sizes that the schemas of its variables allow. */
export function estimateCost(expression: Expression): CostRange {
  return new Estimator(expression).cost(expression.tree.root);
}

/** How often values of a type fit into one request, where nothing else bounds their number. */
export function maxCardinality(type: CelType): number {
  return Math.trunc(MAX_REQUEST_BYTES / ((type.minSize ?? 1) + 1));
}

/** The sizes of the keys and values of a list or map that an expression builds. */
interface EntrySizes {
  readonly isList: boolean;
  readonly key: CostRange;
  readonly value: CostRange;
}

interface LocalVariable {
  readonly path: readonly string[] | undefined;
  readonly size: CostRange | undefined;
  readonly entries: EntrySizes | undefined;
}

class Estimator {
  readonly #types: Expression['tree']['types'];
  readonly #tree: Expression['tree'];
  readonly #variables: Expression['variables'];
  readonly #paths = new Map<ExpressionNode, readonly string[] | undefined>();
  readonly #sizes = new Map<ExpressionNode, CostRange>();
  readonly #entries = new Map<ExpressionNode, EntrySizes>();
  #locals: ReadonlyMap<string, LocalVariable> = new Map();

  constructor(expression: Expression) {
    this.#tree = expression.tree;
    this.#types = expression.tree.types;
    this.#variables = expression.variables;
  }

  cost(node: ExpressionNode): CostRange {
    switch (node.kind) {
      case 'literal':
        return ZERO;
      case 'ident':
        this.#paths.set(node, this.#locals.has(node.name) ? this.#locals.get(node.name)?.path : [node.name]);
        return ONE;
      case 'select':
        return this.#select(node);
      case 'call':
        return this.#call(node);
      case 'list':
        return this.#list(node, node.elements);
      case 'map':
        return this.#map(node);
      case 'struct':
        return exactly(STRUCT_COST);
      case 'comprehension':
        return node.variable === '#unused' ? this.#binding(node) : this.#comprehension(node);
    }
  }

  #typeOf(node: ExpressionNode): CelType {
    return this.#types.get(node) ?? DYN;
  }

  #select(node: SelectNode): CostRange {
    const name = this.#tree.names.get(node);
    if (name !== undefined) {
      this.#paths.set(node, [name]);
      return ONE;
    }
    const operand = this.cost(node.operand);
    if (node.isTest) return operand;
    this.#paths.set(node, extended(this.#pathOf(node.operand), node.field));
    const { kind } = this.#typeOf(node.operand);
    return kind === 'map' || kind === 'object' || kind === 'parameter' ? sum(operand, ONE) : operand;
  }

  #list(node: ExpressionNode, elements: readonly ExpressionNode[]): CostRange {
    const costs = elements.map((element) => this.cost(element));
    this.#entries.set(node, { isList: true, key: ONE, value: this.#unionOf(elements) });
    return sum(...costs, exactly(LIST_COST));
  }

  #map(node: Extract<ExpressionNode, { kind: 'map' }>): CostRange {
    const costs = node.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
    const key = this.#unionOf(node.entries.map((entry) => entry.key));
    const value = this.#unionOf(node.entries.map((entry) => entry.value));
    this.#entries.set(node, { isList: false, key, value });
    return sum(...costs, exactly(MAP_COST));
  }

  #unionOf(nodes: readonly ExpressionNode[]): CostRange {
    if (nodes.length === 0) return ZERO;
    return nodes.map((node) => this.#sizeOf(node) ?? UNKNOWN).reduce(union);
  }

  #binding(node: ComprehensionNode): CostRange {
    const range = this.cost(node.range);
    const init = this.cost(node.init);
    const outer = this.#locals;
    this.#locals = new Map([...outer, [node.accumulator, this.#localOf(node.init)]]);
    const result = this.cost(node.result);
    this.#locals = outer;
    this.#copySizes(node, node.result);
    return sum(range, init, result);
  }

  #comprehension(node: ComprehensionNode): CostRange {
    const range = this.cost(node.range);
    const init = this.cost(node.init);
    const outer = this.#locals;
    const withAccumulator = new Map([...outer, [node.accumulator, this.#localOf(node.init)] as const]);
    this.#locals = new Map([...withAccumulator, ...this.#loopVariables(node)]);
    const condition = this.cost(node.condition);
    const step = this.cost(node.step);
    this.#locals = withAccumulator;
    const result = this.cost(node.result);
    this.#locals = outer;
    const count = this.#sizeOf(node.range) ?? UNKNOWN;
    this.#setResultSize(node, count);
    return sum(range, init, result, product(count, sum(step, condition)));
  }

  #setResultSize(node: ComprehensionNode, count: CostRange): void {
    if (node.init.kind === 'literal') {
      const size = this.#sizeOf(node.init);
      if (size !== undefined) this.#sizes.set(node, size);
      return;
    }
    if (node.init.kind !== 'list' && node.init.kind !== 'map') return;
    this.#sizes.set(node, count);
    const entries = this.#entriesOf(node.step);
    if (entries !== undefined) this.#entries.set(node, entries);
  }

  #loopVariables(node: ComprehensionNode): readonly (readonly [string, LocalVariable])[] {
    const entries = this.#entriesOf(node.range);
    const isList = entries === undefined ? this.#typeOf(node.range).kind === 'list' : entries.isList;
    const path = this.#pathOf(node.range);
    const local = (part: string, size: CostRange | undefined): LocalVariable => ({
      path: extended(path, part),
      size,
      entries: undefined,
    });
    const value = local(isList ? '@items' : '@values', entries?.value);
    if (node.variable2 !== undefined) {
      return [
        [node.variable, local(isList ? '@indices' : '@keys', entries?.key)],
        [node.variable2, value],
      ];
    }
    return [[node.variable, isList ? value : local('@keys', entries?.key)]];
  }

  #localOf(node: ExpressionNode): LocalVariable {
    return { path: this.#pathOf(node), size: this.#sizeOf(node), entries: this.#entriesOf(node) };
  }

  #call(node: CallNode): CostRange {
    const [first] = node.args;
    const name = this.#tree.names.get(node) ?? node.function;
    if (name === 'dyn' && first !== undefined && node.target === undefined) {
      const argument = this.cost(first);
      this.#copySizes(node, first);
      return sum(ONE, argument);
    }
    const costs = node.args.map((arg) => this.cost(arg));
    const args = node.args.map((arg) => this.#factsOf(arg));
    const isMember = node.target !== undefined && !this.#tree.names.has(node);
    const targetCost = isMember && node.target !== undefined ? this.cost(node.target) : ZERO;
    const target = isMember && node.target !== undefined ? this.#factsOf(node.target) : undefined;
    const overloads = this.#overloadIdsOf(node);
    if (overloads.length === 0) return ZERO;
    const call = { name, target, args };
    const estimates = overloads.map((overloadId) => this.#estimate(node, { ...call, overloadId }, costs));
    this.#setCallSize(node, overloads, estimates);
    const total = estimates.map(({ cost }) => cost).reduce(union);
    return sum(targetCost, total);
  }

  #overloadIdsOf(node: CallNode): readonly string[] {
    if (node.function === OPERATORS.optionalSelect) return ['select_optional_field'];
    return (this.#tree.overloads.get(node) ?? []).map(({ id }) => id);
  }

  #setCallSize(node: CallNode, overloads: readonly string[], estimates: readonly CallEstimate[]): void {
    const [container] = node.args;
    let size: CostRange | undefined;
    for (const [index, overload] of overloads.entries()) {
      const own = estimates[index]?.size;
      if (own !== undefined) size = size === undefined ? own : union(size, own);
      if (container !== undefined && (overload === 'index_list' || overload === 'index_map')) {
        size = this.#entriesOf(container)?.value;
        this.#paths.set(node, extended(this.#pathOf(container), overload === 'index_list' ? '@items' : '@values'));
      }
      size ??= this.#sizeOf(node);
    }
    if (size !== undefined) this.#sizes.set(node, size);
  }

  #estimate(node: CallNode, call: EstimatedCall, costs: readonly CostRange[]): CallEstimate {
    const all = sum(...costs);
    const known = estimateLibraryCall(call);
    if (known !== undefined) return { ...known, cost: sum(known.cost, all) };
    switch (call.overloadId) {
      case 'logical_or':
      case 'logical_and':
        return { cost: { min: costs[0]?.min ?? 0, max: all.max } };
      case 'conditional':
        return this.#conditional(node, costs);
      case 'add_string':
      case 'add_bytes':
      case 'add_list':
        return this.#concatenation(node, call.overloadId, all);
      default: {
        const estimate = estimateStandardCall(call);
        return { ...estimate, cost: sum(estimate.cost, all) };
      }
    }
  }

  #conditional(node: CallNode, [condition = ZERO, yes = ZERO, no = ZERO]: readonly CostRange[]): CallEstimate {
    const [, left, right] = node.args;
    if (left === undefined || right === undefined) return { cost: condition };
    const entries = unionOfEntries(this.#entriesOf(left), this.#entriesOf(right));
    if (entries !== undefined) this.#entries.set(node, entries);
    const size = union(this.#sizeOf(left) ?? UNKNOWN, this.#sizeOf(right) ?? UNKNOWN);
    return { cost: sum(condition, union(yes, no)), size };
  }

  #concatenation(node: CallNode, overloadId: string, argumentCost: CostRange): CallEstimate {
    const [left, right] = node.args;
    if (left === undefined || right === undefined) return { cost: argumentCost };
    const size = sum(this.#sizeOf(left) ?? UNKNOWN, this.#sizeOf(right) ?? UNKNOWN);
    const entries = unionOfEntries(this.#entriesOf(left), this.#entriesOf(right));
    if (entries !== undefined) this.#entries.set(node, entries);
    return { cost: sum(overloadId === 'add_list' ? ONE : scaled(size, STRING_FACTOR), argumentCost), size };
  }

  #factsOf(node: ExpressionNode): ArgumentFacts {
    const path = this.#pathOf(node);
    const elementPath = path?.[0] === ACCUMULATOR ? undefined : extended(path, '@items');
    return {
      node,
      type: this.#typeOf(node),
      size: this.#sizeOf(node),
      elementSize: this.#sizeAt(elementPath),
    };
  }

  #pathOf(node: ExpressionNode): readonly string[] | undefined {
    if (node.kind === 'ident' && this.#locals.has(node.name)) return this.#locals.get(node.name)?.path;
    return this.#paths.get(node);
  }

  #sizeOf(node: ExpressionNode): CostRange | undefined {
    const known = this.#sizes.get(node) ?? writtenSize(node);
    if (known !== undefined) return known;
    const bySchema = this.#sizeAt(this.#pathOf(node));
    if (bySchema !== undefined) {
      this.#sizes.set(node, bySchema);
      return bySchema;
    }
    if (isScalar(this.#typeOf(node))) return ONE;
    return node.kind === 'ident' ? this.#locals.get(node.name)?.size : undefined;
  }

  // What the schema says about the place that a path leads to.
  #sizeAt(path: readonly string[] | undefined): CostRange | undefined {
    const [root, ...rest] = path ?? [];
    if (root === undefined) return undefined;
    // Kubernetes looks up what is no variable in the schema of the first one.
    const variable = Object.hasOwn(this.#variables, root) ? this.#variables[root] : Object.values(this.#variables)[0];
    let type: CelType | undefined = variable?.kind === 'optional' ? variable.value : variable;
    for (const part of rest) type = type && partOf(type, part);
    return type === undefined ? undefined : { min: 0, max: type.maxElements ?? 0 };
  }

  #entriesOf(node: ExpressionNode): EntrySizes | undefined {
    const known = this.#entries.get(node);
    if (known !== undefined || node.kind !== 'ident') return known;
    return this.#locals.get(node.name)?.entries;
  }

  #copySizes(target: ExpressionNode, source: ExpressionNode): void {
    const size = this.#sizeOf(source);
    const entries = this.#entriesOf(source);
    if (size !== undefined) this.#sizes.set(target, size);
    if (entries !== undefined) this.#entries.set(target, entries);
  }
}

function extended(path: readonly string[] | undefined, part: string): readonly string[] | undefined {
  return [...(path ?? []), part];
}

function partOf(type: CelType, part: string): CelType | undefined {
  if (part === '@items' || part === '@values') {
    if (type.kind === 'list') return type.element;
    return type.kind === 'map' ? type.value : undefined;
  }
  if (part === '@keys') return type.kind === 'map' ? type.key : undefined;
  return type.kind === 'object' ? type.fields.get(part)?.type : undefined;
}

function unionOfEntries(left: EntrySizes | undefined, right: EntrySizes | undefined): EntrySizes | undefined {
  if (left === undefined || right === undefined) return undefined;
  return { isList: left.isList, key: union(left.key, right.key), value: union(left.value, right.value) };
}
