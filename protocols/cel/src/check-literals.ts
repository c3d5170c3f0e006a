import { formatType, type CelType } from './cel-type.ts';
import { CelFailure } from './cel-value.ts';
import type { CheckedTree } from './check.ts';
import { childrenOf, type CallNode, type ExpressionNode, type ListNode, type MapNode } from './expression-tree.ts';
import { readClause } from './format-string.ts';
import type { IssueList } from './issue-list.ts';
import { compilePattern } from './regular-expression.ts';
import { isSameType } from './unify-types.ts';

/** Looks at what is written out in an expression: times, patterns and formats that are none, lists of mixed types. */
export function checkLiterals(tree: CheckedTree, issues: IssueList): void {
  visit(tree.root, false);

  function visit(node: ExpressionNode, isInFormat: boolean): void {
    if (node.kind === 'call') checkCall(tree, node, issues);
    if (node.kind === 'list' && !isInFormat) checkList(tree, node, issues);
    if (node.kind === 'map' && !isInFormat) checkMap(tree, node, issues);
    const isFormat = node.kind === 'call' && node.function === 'format';
    for (const child of childrenOf(node)) visit(child, isInFormat || isFormat);
  }
}

function checkCall(tree: CheckedTree, node: CallNode, issues: IssueList): void {
  const argument = node.args.at(-1);
  if (argument?.kind !== 'literal') {
    if (node.function === 'format') checkFormat(node, issues);
    return;
  }
  const isWrong =
    ((node.function === 'duration' || node.function === 'timestamp') && isFailing(tree, node)) ||
    (node.function === 'matches' &&
      typeof argument.value === 'string' &&
      typeof compilePattern(argument.value) === 'string');
  if (isWrong) issues.add(argument.offset, `invalid ${node.function} argument`);
}

function isFailing(tree: CheckedTree, node: CallNode): boolean {
  const [argument, ...others] = node.args;
  const [overload] = tree.overloads.get(node) ?? [];
  if (argument?.kind !== 'literal' || others.length > 0 || overload === undefined) return false;
  return overload.call([argument.value]) instanceof CelFailure;
}

function checkFormat(node: CallNode, issues: IssueList): void {
  const [list] = node.args;
  const { target } = node;
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || list?.kind !== 'list') return;
  let wanted = 0;
  for (const match of target.value.matchAll(/%%|%/g)) {
    if (match[0] === '%%') continue;
    const clause = readClause(target.value.slice(match.index + 1));
    const problem = list.elements.length <= wanted ? `index ${wanted} out of range` : clause;
    if (typeof problem === 'string') {
      issues.add(node.offset, problem);
      return;
    }
    wanted++;
  }
  if (list.elements.length > wanted) {
    issues.add(
      node.offset,
      `too many arguments supplied to string.format (expected ${wanted}, got ${list.elements.length})`,
    );
  }
}

function checkList(tree: CheckedTree, node: ListNode, issues: IssueList): void {
  const types = node.elements.map((element, index) => typeOfElement(tree, element, node.optional.has(index)));
  reportFirstOdd(node.elements, types, issues);
}

function checkMap(tree: CheckedTree, node: MapNode, issues: IssueList): void {
  const keys = node.entries.map(({ key }) => key);
  const values = node.entries.map(({ value }) => value);
  const isReported = reportFirstOdd(
    keys,
    keys.map((key) => typeOfElement(tree, key, false)),
    issues,
  );
  if (isReported) return;
  reportFirstOdd(
    values,
    node.entries.map(({ value, isOptional }) => typeOfElement(tree, value, isOptional)),
    issues,
  );
}

function typeOfElement(tree: CheckedTree, node: ExpressionNode, isOptional: boolean): CelType {
  const type = tree.types.get(node) ?? { kind: 'dyn' };
  return isOptional && type.kind === 'optional' ? type.value : type;
}

function reportFirstOdd(nodes: readonly ExpressionNode[], types: readonly CelType[], issues: IssueList): boolean {
  const [first] = types;
  if (first === undefined) return false;
  const odd = types.findIndex((type) => !isSameType(first, type));
  const node = nodes[odd];
  const type = types[odd];
  if (node === undefined || type === undefined) return false;
  issues.add(node.offset, `expected type '${formatType(first)}' but found '${formatType(type)}'`);
  return true;
}
