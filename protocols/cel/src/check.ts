import {
  BOOL,
  DYN,
  ERROR,
  fieldOf,
  formatType,
  INT,
  listOf,
  mapOf,
  optionalOf,
  parameter,
  STRING,
  typeOf,
  type CelType,
} from './cel-type.ts';
import { literalType } from './literal-type.ts';
import {
  OPERATORS,
  qualifiedNameOf,
  type CallNode,
  type ComprehensionNode,
  type ExpressionNode,
  type ListNode,
  type MapNode,
  type SelectNode,
} from './expression-tree.ts';
import { findFunction, TYPE_NAMES } from './function-table.ts';
import type { IssueList } from './issue-list.ts';
import type { Overload } from './overload.ts';
import { assignTypes, mostGeneral, substitute, type Substitution } from './unify-types.ts';

/** What the checker found out about the nodes of a tree. */
export interface CheckedTree {
  readonly root: ExpressionNode;
  readonly types: ReadonlyMap<ExpressionNode, CelType>;
  /** The overloads that a call can mean; several only where types are not known before it runs. */
  readonly overloads: ReadonlyMap<CallNode, readonly Overload[]>;
  /** The full names of functions that were called with dots, and of variables and types written with them. */
  readonly names: ReadonlyMap<ExpressionNode, string>;
}

/** Finds the type of every node, noting what does not fit. */
export function check(
  root: ExpressionNode,
  variables: Readonly<Record<string, CelType>>,
  issues: IssueList,
): CheckedTree {
  return new Checker(new Map(Object.entries(variables)), issues).check(root);
}

class Checker {
  readonly #issues: IssueList;
  readonly #types = new Map<ExpressionNode, CelType>();
  readonly #overloads = new Map<CallNode, readonly Overload[]>();
  readonly #names = new Map<ExpressionNode, string>();
  #scope: ReadonlyMap<string, CelType>;
  #known: Substitution = new Map();
  #parameterCount = 0;

  constructor(variables: ReadonlyMap<string, CelType>, issues: IssueList) {
    this.#scope = variables;
    this.#issues = issues;
  }

  check(root: ExpressionNode): CheckedTree {
    this.#visit(root);
    for (const [node, type] of this.#types) this.#types.set(node, substitute(this.#known, type, true));
    return { root, types: this.#types, overloads: this.#overloads, names: this.#names };
  }

  #visit(node: ExpressionNode): CelType {
    const type = this.#typeOf(node);
    this.#types.set(node, type);
    return type;
  }

  #typeOf(node: ExpressionNode): CelType {
    switch (node.kind) {
      case 'literal':
        return literalType(node.value);
      case 'ident':
        return this.#named(node, node.name) ?? this.#undeclared(node.offset, node.name);
      case 'select':
        return this.#select(node);
      case 'call':
        return node.function === OPERATORS.optionalSelect ? this.#optionalSelect(node) : this.#call(node);
      case 'list':
        return this.#list(node);
      case 'map':
        return this.#map(node);
      case 'struct':
        return this.#undeclared(node.offset, node.typeName);
      case 'comprehension':
        return this.#comprehension(node);
    }
  }

  #named(node: ExpressionNode, name: string): CelType | undefined {
    const plainName = name.startsWith('.') ? name.slice(1) : name;
    const variable = this.#scope.get(plainName);
    const type = variable ?? TYPE_NAMES.get(plainName);
    if (type === undefined) return undefined;
    this.#names.set(node, plainName);
    return variable ?? typeOf(type);
  }

  #undeclared(offset: number, name: string): CelType {
    this.#issues.add(offset, `undeclared reference to '${name.replace(/^\./, '')}' (in container '')`);
    return ERROR;
  }

  #select(node: SelectNode): CelType {
    const qualified = qualifiedNameOf(node);
    if (qualified !== undefined) {
      const type = this.#named(node, qualified);
      if (type !== undefined) return type;
    }
    const type = this.#field(node.operand, node.field, node.offset, false);
    return node.isTest ? BOOL : type;
  }

  #optionalSelect(node: CallNode): CelType {
    const [operand, field] = node.args;
    if (operand === undefined || field?.kind !== 'literal' || typeof field.value !== 'string') return ERROR;
    this.#overloads.set(node, []);
    this.#types.set(field, STRING);
    return this.#field(operand, field.value, node.offset, true);
  }

  #field(operand: ExpressionNode, field: string, offset: number, isOptional: boolean): CelType {
    const operandType = substitute(this.#known, this.#visit(operand), false);
    const target = operandType.kind === 'optional' ? operandType.value : operandType;
    const result = substitute(this.#known, this.#fieldType(target, field, offset), false);
    return isOptional || operandType.kind === 'optional' ? optionalOf(result) : result;
  }

  #fieldType(target: CelType, field: string, offset: number): CelType {
    if (target.kind === 'map') return target.value;
    if (target.kind === 'object' || (target.kind === 'opaque' && target.isStruct)) {
      const found = target.kind === 'object' ? fieldOf(target, field) : undefined;
      if (found !== undefined) return found.type;
      this.#issues.add(offset, `undefined field '${field}'`);
      return ERROR;
    }
    if (target.kind === 'parameter') this.#assign(DYN, target);
    else if (target.kind !== 'dyn' && target.kind !== 'error') {
      this.#issues.add(offset, `type '${formatType(target)}' does not support field selection`);
    }
    return DYN;
  }

  #call(node: CallNode): CelType {
    for (const arg of node.args) this.#visit(arg);
    if (node.target === undefined) {
      const name = node.function.startsWith('.') ? node.function.slice(1) : node.function;
      const overloads = findFunction(name);
      if (overloads === undefined) return this.#undeclared(node.offset, name);
      this.#names.set(node, name);
      return this.#resolve(node, name, overloads, undefined);
    }
    const prefix = qualifiedNameOf(node.target);
    const qualified = prefix === undefined ? undefined : `${prefix.replace(/^\./, '')}.${node.function}`;
    const qualifiedOverloads = qualified === undefined ? undefined : findFunction(qualified);
    if (qualified !== undefined && qualifiedOverloads !== undefined) {
      this.#names.set(node, qualified);
      return this.#resolve(node, qualified, qualifiedOverloads, undefined);
    }
    this.#visit(node.target);
    const overloads = findFunction(node.function);
    if (overloads === undefined) return this.#undeclared(node.offset, node.function);
    return this.#resolve(node, node.function, overloads, node.target);
  }

  #resolve(node: CallNode, name: string, overloads: readonly Overload[], target: ExpressionNode | undefined): CelType {
    const args = target === undefined ? node.args : [target, ...node.args];
    const argTypes = args.map((arg) => this.#types.get(arg) ?? ERROR);
    if (name === OPERATORS.and || name === OPERATORS.or) return this.#resolveLogical(node, argTypes, overloads);
    const matching: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of overloads) {
      if (overload.isMember !== (target !== undefined)) continue;
      const fresh = this.#freshen(overload);
      if (!this.#assignAll(argTypes, fresh.parameters)) continue;
      matching.push(overload);
      const type = substitute(this.#known, fresh.result, false);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && formatType(result) !== formatType(type)) result = DYN;
    }
    if (result === undefined) {
      const shown = argTypes.map((type) => formatType(substitute(this.#known, type, true)));
      this.#issues.add(
        node.offset,
        `found no matching overload for '${name}' applied to '${signature(shown, target)}'`,
      );
      return ERROR;
    }
    this.#overloads.set(node, matching);
    return result;
  }

  #resolveLogical(node: CallNode, argTypes: readonly CelType[], overloads: readonly Overload[]): CelType {
    this.#overloads.set(node, overloads);
    let result: CelType = BOOL;
    for (const [index, type] of argTypes.entries()) {
      if (this.#assign(type, BOOL)) continue;
      this.#mismatch(node.args[index]?.offset ?? node.offset, BOOL, type);
      result = ERROR;
    }
    return result;
  }

  #freshen(overload: Overload): Pick<Overload, 'parameters' | 'result'> {
    const fresh = new Map<string, CelType>();
    for (const name of ['A', 'B', 'V', 'T'])
      fresh.set(name, { kind: 'parameter', name: `${name}${this.#parameterCount}` });
    this.#parameterCount++;
    return {
      parameters: overload.parameters.map((type) => substitute(fresh, type, false)),
      result: substitute(fresh, overload.result, false),
    };
  }

  #list(node: ListNode): CelType {
    let joined: CelType | undefined;
    for (const [index, element] of node.elements.entries()) {
      const type = this.#visit(element);
      joined = this.#join(joined, node.optional.has(index) ? this.#unwrapped(element, type) : type);
    }
    return listOf(joined ?? this.#freshParameter());
  }

  #map(node: MapNode): CelType {
    let key: CelType | undefined;
    let value: CelType | undefined;
    for (const entry of node.entries) {
      key = this.#join(key, this.#visit(entry.key));
      const type = this.#visit(entry.value);
      value = this.#join(value, entry.isOptional ? this.#unwrapped(entry.value, type) : type);
    }
    return mapOf(key ?? this.#freshParameter(), value ?? this.#freshParameter());
  }

  #unwrapped(node: ExpressionNode, type: CelType): CelType {
    if (type.kind === 'optional') return type.value;
    if (type.kind !== 'dyn') this.#mismatch(node.offset, optionalOf(type), type);
    return type;
  }

  // Elements of several types make the list one of dyn; whether that is allowed is for the literal rules to say.
  #join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current;
    return this.#assign(previous, current) ? mostGeneral(previous, current) : DYN;
  }

  #comprehension(node: ComprehensionNode): CelType {
    const range = substitute(this.#known, this.#visit(node.range), false);
    const accumulated = this.#visit(node.init);
    const outer = this.#scope;
    const withAccumulator = new Map([...outer, [node.accumulator, accumulated]]);
    this.#scope = new Map([...withAccumulator, ...this.#loopVariables(node, range)]);
    this.#assert(node.condition, BOOL);
    this.#assert(node.step, accumulated);
    this.#scope = withAccumulator;
    const result = this.#visit(node.result);
    this.#scope = outer;
    return substitute(this.#known, result, false);
  }

  #loopVariables(node: ComprehensionNode, range: CelType): readonly (readonly [string, CelType])[] {
    const [first, second] = this.#rangeTypes(node, range);
    if (node.variable2 === undefined) return [[node.variable, range.kind === 'list' ? second : first]];
    return [
      [node.variable, first],
      [node.variable2, second],
    ];
  }

  #rangeTypes(node: ComprehensionNode, range: CelType): readonly [CelType, CelType] {
    if (range.kind === 'list') return [INT, range.element];
    if (range.kind === 'map') return [range.key, range.value];
    if (range.kind === 'dyn' || range.kind === 'error' || range.kind === 'parameter') {
      this.#assign(DYN, range);
      return [DYN, DYN];
    }
    this.#issues.add(
      node.range.offset,
      `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return [ERROR, ERROR];
  }

  #assert(node: ExpressionNode, expected: CelType): void {
    const type = this.#visit(node);
    if (!this.#assign(expected, type)) this.#mismatch(node.offset, expected, type);
  }

  #mismatch(offset: number, expected: CelType, actual: CelType): void {
    this.#issues.add(offset, `expected type '${formatType(expected)}' but found '${formatType(actual)}'`);
  }

  #assign(target: CelType, source: CelType): boolean {
    return this.#assignAll([target], [source]);
  }

  #assignAll(targets: readonly CelType[], sources: readonly CelType[]): boolean {
    const learned = assignTypes(this.#known, targets, sources);
    if (learned !== undefined) this.#known = learned;
    return learned !== undefined;
  }

  #freshParameter(): CelType {
    return parameter(`_var${this.#parameterCount++}`);
  }
}

function signature(types: readonly string[], target: ExpressionNode | undefined): string {
  return target === undefined ? `(${types.join(', ')})` : `${types[0] ?? ''}.(${types.slice(1).join(', ')})`;
}
