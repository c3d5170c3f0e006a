import type { CelValue } from './cel-value.ts';

interface NodeAt {
  /** Where in the text the node stands, as cel-go counts it: calls at their parenthesis, operators at themselves. */
  readonly offset: number;
}

interface LiteralNode extends NodeAt {
  readonly kind: 'literal';
  readonly value: CelValue;
}

interface IdentNode extends NodeAt {
  readonly kind: 'ident';
  readonly name: string;
}

export interface SelectNode extends NodeAt {
  readonly kind: 'select';
  readonly operand: ExpressionNode;
  readonly field: string;
  /** Whether only the presence of the field is asked for. */
  readonly isTest: boolean;
}

export interface CallNode extends NodeAt {
  readonly kind: 'call';
  readonly function: string;
  readonly target?: ExpressionNode;
  readonly args: readonly ExpressionNode[];
}

export interface ListNode extends NodeAt {
  readonly kind: 'list';
  readonly elements: readonly ExpressionNode[];
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry extends NodeAt {
  readonly key: ExpressionNode;
  readonly value: ExpressionNode;
  readonly isOptional: boolean;
}

export interface MapNode extends NodeAt {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

interface StructNode extends NodeAt {
  readonly kind: 'struct';
  readonly typeName: string;
}

/** What every macro becomes: a fold over a list or a map. */
export interface ComprehensionNode extends NodeAt {
  readonly kind: 'comprehension';
  readonly range: ExpressionNode;
  readonly variable: string;
  readonly variable2?: string;
  readonly accumulator: string;
  readonly init: ExpressionNode;
  readonly condition: ExpressionNode;
  readonly step: ExpressionNode;
  readonly result: ExpressionNode;
}

export type ExpressionNode =
  | LiteralNode
  | IdentNode
  | SelectNode
  | CallNode
  | ListNode
  | MapNode
  | StructNode
  | ComprehensionNode;

/** The name of the variable that a comprehension collects into; no one can write it. */
export const ACCUMULATOR = '@result';

/** The names of the operators as functions. */
export const OPERATORS = {
  conditional: '_?_:_',
  and: '_&&_',
  or: '_||_',
  not: '!_',
  negate: '-_',
  index: '_[_]',
  optionalIndex: '_[?_]',
  optionalSelect: '_?._',
  notStrictlyFalse: '@not_strictly_false',
  mapInsert: 'cel.@mapInsert',
} as const;

/** The dotted name that a chain of selections spells, if it does. */
export function qualifiedNameOf(node: ExpressionNode): string | undefined {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.isTest) return undefined;
  const prefix = qualifiedNameOf(node.operand);
  return prefix === undefined ? undefined : `${prefix}.${node.field}`;
}

/** The nodes right below a node. */
export function childrenOf(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.kind) {
    case 'literal':
    case 'ident':
    case 'struct':
      return [];
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case 'comprehension':
      return [node.range, node.init, node.condition, node.step, node.result];
  }
}
