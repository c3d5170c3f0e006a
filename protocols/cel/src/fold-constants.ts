import { ValueList, ValueMap } from './built-values.ts';
import { CelError } from './cel-error.ts';
import { CelFailure, CelTypeValue, type CelValue } from './cel-value.ts';
import type { CheckedTree } from './check.ts';
import type { CallNode, ExpressionNode, ListNode, MapNode } from './expression-tree.ts';

const CONVERSIONS = new Set([
  'bool',
  'bytes',
  'double',
  'dyn',
  'duration',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/** Finds the parts of an expression that never change: literals, lists and maps of them, and conversions of them. */
export class ConstantFolder {
  readonly #tree: CheckedTree;
  readonly #known = new Map<ExpressionNode, CelValue | undefined>();

  constructor(tree: CheckedTree) {
    this.#tree = tree;
  }

  /** The value that a node always has, or undefined. Throws where computing it fails: so will every evaluation. */
  constantOf(node: ExpressionNode): CelValue | undefined {
    if (this.#known.has(node)) return this.#known.get(node);
    const value = this.#fold(node);
    this.#known.set(node, value);
    return value;
  }

  #fold(node: ExpressionNode): CelValue | undefined {
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'list':
        return this.#foldList(node);
      case 'map':
        return this.#foldMap(node);
      case 'call':
        return this.#foldConversion(node);
      case 'ident':
      case 'select':
        return this.#foldTypeName(node);
      case 'struct':
      case 'comprehension':
        return undefined;
    }
  }

  #foldList(node: ListNode): CelValue | undefined {
    if (node.optional.size > 0) return undefined;
    const elements: CelValue[] = [];
    for (const element of node.elements) {
      const value = this.constantOf(element);
      if (value === undefined) return undefined;
      elements.push(value);
    }
    return new ValueList(elements);
  }

  #foldMap(node: MapNode): CelValue | undefined {
    const entries: (readonly [CelValue, CelValue])[] = [];
    for (const entry of node.entries) {
      const key = this.constantOf(entry.key);
      const value = this.constantOf(entry.value);
      if (entry.isOptional || key === undefined || value === undefined) return undefined;
      entries.push([key, value]);
    }
    // A map with a key twice fails when it is evaluated, not before.
    const map = ValueMap.of(entries);
    return map instanceof CelFailure ? undefined : map;
  }

  #foldConversion(node: CallNode): CelValue | undefined {
    const [argument, ...others] = node.args;
    if (!CONVERSIONS.has(node.function) || node.target !== undefined || argument === undefined || others.length > 0)
      return undefined;
    const value = this.constantOf(argument);
    const [overload] = this.#tree.overloads.get(node) ?? [];
    if (value === undefined || overload === undefined) return undefined;
    const result = overload.call([value]);
    if (result instanceof CelFailure) throw new CelError('program', `program instantiation failed: ${result.message}`);
    return result;
  }

  #foldTypeName(node: ExpressionNode): CelValue | undefined {
    const name = this.#tree.names.get(node);
    return name !== undefined && this.#tree.types.get(node)?.kind === 'type' ? new CelTypeValue(name) : undefined;
  }
}
