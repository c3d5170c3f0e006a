import {
  ACCUMULATOR,
  OPERATORS,
  type CallNode,
  type ComprehensionNode,
  type ExpressionNode,
} from './expression-tree.ts';
import type { IssueList } from './issue-list.ts';

type Expand = (call: CallNode, target: ExpressionNode, issues: IssueList) => ExpressionNode | undefined;

/** The macros that are called on a list or a map, by name and number of arguments. */
const MEMBER_MACROS: ReadonlyMap<string, Expand> = new Map([
  ['all/2', fold(1, quantifyAll)],
  ['exists/2', fold(1, quantifyExists)],
  ['exists_one/2', fold(1, quantifyOne)],
  ['existsOne/2', fold(1, quantifyOne)],
  ['map/2', fold(1, collect)],
  ['map/3', fold(1, collect)],
  ['filter/2', fold(1, keep)],
  ['all/3', fold(2, quantifyAll)],
  ['exists/3', fold(2, quantifyExists)],
  ['exists_one/3', fold(2, quantifyOne)],
  ['existsOne/3', fold(2, quantifyOne)],
  ['transformList/3', fold(2, collect)],
  ['transformList/4', fold(2, collect)],
  ['transformMap/3', fold(2, insertValue)],
  ['transformMap/4', fold(2, insertValue)],
  ['transformMapEntry/3', fold(2, insertEntry)],
  ['transformMapEntry/4', fold(2, insertEntry)],
  ['optMap/2', optionalMap(true)],
  ['optFlatMap/2', optionalMap(false)],
  ['sortBy/2', sortBy],
]);

/** What a macro call stands for, or undefined when the call is no macro. */
export function expandMacro(call: CallNode, issues: IssueList): ExpressionNode | undefined {
  if (call.target === undefined)
    return call.function === 'has' && call.args.length === 1 ? expandHas(call, issues) : undefined;
  return MEMBER_MACROS.get(`${call.function}/${call.args.length}`)?.(call, call.target, issues);
}

function expandHas(call: CallNode, issues: IssueList): ExpressionNode {
  const [field] = call.args;
  if (field?.kind === 'select' && !field.isTest) return { ...field, offset: call.offset, isTest: true };
  issues.add(field?.offset ?? call.offset, 'invalid argument to has() macro');
  return call;
}

interface FoldParts {
  readonly at: (name: string, ...args: readonly ExpressionNode[]) => ExpressionNode;
  readonly literal: (value: boolean | bigint) => ExpressionNode;
  /** A new mention of what is collected so far: each place in a tree is a node of its own. */
  readonly accumulator: () => ExpressionNode;
  readonly variable: ExpressionNode;
  /** What follows the names of the variables: a filter where there are two, and what is computed for each. */
  readonly body: readonly ExpressionNode[];
  readonly offset: number;
}

type FoldSteps = Pick<ComprehensionNode, 'init' | 'condition' | 'step' | 'result'>;

function fold(variableCount: 1 | 2, steps: (parts: FoldParts) => FoldSteps): Expand {
  return (call, target, issues) => {
    const names = call.args.slice(0, variableCount).map((node) => nameOf(node, issues));
    const [variable, variable2] = names;
    if (variable === undefined || names.includes(undefined)) return call;
    if (variable === variable2) {
      issues.add(call.args[1]?.offset ?? call.offset, `duplicate variable name: ${variable}`);
      return call;
    }
    const parts = partsOf(call, variable, call.args.slice(variableCount));
    return {
      kind: 'comprehension',
      offset: call.offset,
      range: target,
      variable,
      ...(variable2 !== undefined && { variable2 }),
      accumulator: ACCUMULATOR,
      ...steps(parts),
    };
  };
}

function partsOf(call: CallNode, variable: string, body: readonly ExpressionNode[]): FoldParts {
  const { offset } = call;
  return {
    offset,
    body,
    at: (name, ...args) => ({ kind: 'call', offset, function: name, args }),
    literal: (value) => ({ kind: 'literal', offset, value }),
    accumulator: () => ({ kind: 'ident', offset, name: ACCUMULATOR }),
    variable: { kind: 'ident', offset: call.args[0]?.offset ?? offset, name: variable },
  };
}

function nameOf(node: ExpressionNode, issues: IssueList): string | undefined {
  if (node.kind === 'ident' && !node.name.startsWith('.') && node.name !== '__result__') return node.name;
  const isAccumulator = node.kind === 'ident' && node.name === '__result__';
  issues.add(
    node.offset,
    isAccumulator ? 'iteration variable overwrites accumulator variable' : 'argument must be a simple name',
  );
  return undefined;
}

function quantifyAll({ at, literal, accumulator, body }: FoldParts): FoldSteps {
  return {
    init: literal(true),
    condition: at(OPERATORS.notStrictlyFalse, accumulator()),
    step: at(OPERATORS.and, accumulator(), ...body),
    result: accumulator(),
  };
}

function quantifyExists({ at, literal, accumulator, body }: FoldParts): FoldSteps {
  return {
    init: literal(false),
    condition: at(OPERATORS.notStrictlyFalse, at(OPERATORS.not, accumulator())),
    step: at(OPERATORS.or, accumulator(), ...body),
    result: accumulator(),
  };
}

function quantifyOne({ at, literal, accumulator, body }: FoldParts): FoldSteps {
  return {
    init: literal(0n),
    condition: literal(true),
    step: at(OPERATORS.conditional, ...body, at('_+_', accumulator(), literal(1n)), accumulator()),
    result: at('_==_', accumulator(), literal(1n)),
  };
}

function collect(parts: FoldParts): FoldSteps {
  const transform = parts.body.at(-1);
  const filter = parts.body.length > 1 ? parts.body[0] : undefined;
  return collecting(parts, emptyList(parts), parts.at('_+_', parts.accumulator(), listOf(parts, transform)), filter);
}

function keep(parts: FoldParts): FoldSteps {
  return collecting(
    parts,
    emptyList(parts),
    parts.at('_+_', parts.accumulator(), listOf(parts, parts.variable)),
    parts.body[0],
  );
}

function insertValue(parts: FoldParts): FoldSteps {
  const filter = parts.body.length > 1 ? parts.body[0] : undefined;
  const transform = parts.body.slice(-1);
  return collecting(
    parts,
    emptyMap(parts),
    parts.at(OPERATORS.mapInsert, parts.accumulator(), parts.variable, ...transform),
    filter,
  );
}

function insertEntry(parts: FoldParts): FoldSteps {
  const filter = parts.body.length > 1 ? parts.body[0] : undefined;
  return collecting(
    parts,
    emptyMap(parts),
    parts.at(OPERATORS.mapInsert, parts.accumulator(), ...parts.body.slice(-1)),
    filter,
  );
}

function collecting(parts: FoldParts, init: ExpressionNode, add: ExpressionNode, filter?: ExpressionNode): FoldSteps {
  const step = filter === undefined ? add : parts.at(OPERATORS.conditional, filter, add, parts.accumulator());
  return { init, condition: parts.literal(true), step, result: parts.accumulator() };
}

function emptyList({ offset }: FoldParts): ExpressionNode {
  return { kind: 'list', offset, elements: [], optional: new Set() };
}

function emptyMap({ offset }: FoldParts): ExpressionNode {
  return { kind: 'map', offset, entries: [] };
}

function listOf({ offset }: FoldParts, element: ExpressionNode | undefined): ExpressionNode {
  return { kind: 'list', offset, elements: element === undefined ? [] : [element], optional: new Set() };
}

// target.hasValue() ? optional.of(bind(variable, target.value(), body)) : optional.none()
function optionalMap(isWrapped: boolean): Expand {
  return (call, target, issues) => {
    const { offset } = call;
    const [name, body] = call.args;
    const variable = name === undefined ? undefined : nameOf(name, issues);
    if (variable === undefined || body === undefined) return call;
    const value = bind(offset, variable, { kind: 'call', offset, function: 'value', target, args: [] }, body);
    const wrapped: ExpressionNode = isWrapped
      ? { kind: 'call', offset, function: 'optional.of', args: [value] }
      : value;
    const none: ExpressionNode = { kind: 'call', offset, function: 'optional.none', args: [] };
    const has: ExpressionNode = { kind: 'call', offset, function: 'hasValue', target, args: [] };
    return { kind: 'call', offset, function: OPERATORS.conditional, args: [has, wrapped, none] };
  };
}

function sortBy(call: CallNode, target: ExpressionNode, issues: IssueList): ExpressionNode {
  const { offset } = call;
  if (target.kind === 'literal' || target.kind === 'map' || target.kind === 'struct') {
    issues.add(
      target.offset,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
    return call;
  }
  const input: ExpressionNode = { kind: 'ident', offset, name: '@__sortBy_input__' };
  const keys = fold(1, collect)({ ...call, function: 'map' }, input, issues);
  if (keys === undefined) return call;
  const sorted: ExpressionNode = {
    kind: 'call',
    offset,
    function: '@sortByAssociatedKeys',
    target: input,
    args: [keys],
  };
  return bind(offset, input.name, target, sorted);
}

function bind(offset: number, name: string, value: ExpressionNode, body: ExpressionNode): ExpressionNode {
  return {
    kind: 'comprehension',
    offset,
    range: { kind: 'list', offset, elements: [], optional: new Set() },
    variable: '#unused',
    accumulator: name,
    init: value,
    condition: { kind: 'literal', offset, value: false },
    step: { kind: 'ident', offset, name },
    result: body,
  };
}
