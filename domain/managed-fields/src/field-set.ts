import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { FieldSetBuilder } from './field-set-builder.ts';
import { isEmptyObject, type MutableObject } from './json-kind.ts';
import { compareElements, fieldElement, type PathElement, SELF } from './path-element.ts';

/**
 * A set of paths to fields in the form in which it is stored, FieldsV1: a trie whose leaves are members, and whose inner
 * nodes are members when they hold `.`. Elements are canonical and in order, so equal sets print alike. The root is no
 * member: an empty object there is the empty set.
 */
export type FieldSet = JsonObject;

/** A node of the trie below the root, where an empty object is a member. */
type Node = JsonObject;

const MEMBER: Node = Object.freeze({});

export const EMPTY_SET: FieldSet = MEMBER;

/** The set of these fields, each a path of names. */
export function fieldSetOfPaths(paths: readonly (readonly string[])[]): FieldSet {
  const builder = new FieldSetBuilder();
  for (const path of paths) builder.insert(path.map(fieldElement));
  return builder.build();
}

export function isEmptySet(set: FieldSet): boolean {
  return isEmptyObject(set);
}

/** Whether the field at this path is a member. */
export function hasPath(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: Node | undefined = set;
  for (const element of path) {
    node = childOf(node, element);
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

/** Whether the field below this node is a member. */
export function hasMember(set: FieldSet, element: PathElement): boolean {
  const child = childOf(set, element);
  return child !== undefined && isMember(child);
}

/** The members below one field, as a set of its own. */
export function subsetOf(set: FieldSet, element: PathElement): FieldSet {
  const child = childOf(set, element);
  if (child === undefined) return EMPTY_SET;
  return Object.hasOwn(child, SELF) ? withoutSelf(child) : child;
}

/** The paths that are in either set. */
export function unionOf(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmptySet(right)) return left;
  if (isEmptySet(left)) return right;
  return combine(left, right);
}

/** The paths that are in both sets. */
export function intersectionOf(left: FieldSet, right: FieldSet): FieldSet {
  const result: MutableObject = {};
  for (const element in left) {
    const other = element === SELF ? undefined : childOf(right, element);
    const child = other === undefined ? undefined : nodeOf(left[element]);
    if (child === undefined || other === undefined) continue;
    const node = makeNode(isMember(child) && isMember(other), intersectionOf(child, other));
    if (node !== undefined) result[element] = node;
  }
  return result;
}

/** The paths of the first set that are not in the second. */
export function differenceOf(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, (child, other) =>
    makeNode(isMember(child) && !isMember(other), differenceOf(child, other)),
  );
}

/** The paths of the first set that are neither in the second nor below one of its paths. */
export function recursiveDifferenceOf(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, (child, other) =>
    isMember(other) ? undefined : makeNode(isMember(child), recursiveDifferenceOf(child, other)),
  );
}

/** The paths below which the set has no other. */
export function leavesOf(set: FieldSet): FieldSet {
  const result: MutableObject = {};
  for (const element in set) {
    const child = childOf(set, element);
    if (element === SELF || child === undefined) continue;
    result[element] = isEmptyObject(child) ? MEMBER : leavesOf(child);
  }
  return result;
}

/** All paths, those of one level before those below it. */
export function pathsOf(set: FieldSet): readonly (readonly PathElement[])[] {
  const paths: PathElement[][] = [];
  collectPaths(set, [], paths);
  return paths;
}

function collectPaths(set: FieldSet, prefix: readonly PathElement[], paths: PathElement[][]): void {
  for (const element in set) {
    if (element !== SELF && hasMember(set, element)) paths.push([...prefix, element]);
  }
  for (const element in set) {
    const child = childOf(set, element);
    if (element !== SELF && child !== undefined) collectPaths(child, [...prefix, element], paths);
  }
}

/** Builds a node anew: `map` says what becomes of each child, and whether the child itself is a member. */
export function mapChildren(
  set: FieldSet,
  map: (element: PathElement, child: FieldSet, isSelf: boolean) => Node | undefined,
): FieldSet {
  const result: MutableObject = {};
  for (const element in set) {
    const child = childOf(set, element);
    if (element === SELF || child === undefined) continue;
    const node = map(element, withoutSelf(child), isMember(child));
    if (node !== undefined) result[element] = node;
  }
  return result;
}

/** A node from what is below it; undefined when nothing would be left. */
export function makeNode(isSelf: boolean, children: FieldSet): Node | undefined {
  const below = withoutSelf(children);
  if (isEmptyObject(below)) return isSelf ? MEMBER : undefined;
  return isSelf ? { [SELF]: MEMBER, ...below } : below;
}

function combine(left: Node, right: Node): Node {
  const result: MutableObject = {};
  const rightElements = Object.keys(right).filter((element) => element !== SELF);
  let next = 0;
  for (const element in left) {
    if (element === SELF) continue;
    let other = rightElements[next];
    while (other !== undefined && compareElements(other, element) < 0) {
      result[other] = right[other] ?? MEMBER;
      other = rightElements[++next];
    }
    result[element] = other === element ? unionOfNodes(left[element], right[element]) : (left[element] ?? MEMBER);
    if (other === element) next++;
  }
  for (const element of rightElements.slice(next)) result[element] = right[element] ?? MEMBER;
  return result;
}

function unionOfNodes(left: JsonValue | undefined, right: JsonValue | undefined): Node {
  const leftNode = nodeOf(left) ?? MEMBER;
  const rightNode = nodeOf(right) ?? MEMBER;
  return makeNode(isMember(leftNode) || isMember(rightNode), combine(leftNode, rightNode)) ?? MEMBER;
}

/** Subtracts with the least copying: a set that loses nothing is returned as it is. */
function subtract(left: Node, right: Node, subtractNode: (child: Node, other: Node) => Node | undefined): Node {
  let changes: Map<PathElement, Node | undefined> | undefined;
  for (const element in right) {
    const child = element === SELF ? undefined : childOf(left, element);
    const other = childOf(right, element);
    if (child === undefined || other === undefined) continue;
    const rest = subtractNode(child, other);
    if (rest !== child) (changes ??= new Map()).set(element, rest);
  }
  if (changes === undefined) return left;
  const result: MutableObject = {};
  for (const element in left) {
    const node = changes.has(element) ? changes.get(element) : left[element];
    if (node !== undefined) result[element] = node;
  }
  return result;
}

function isMember(node: Node): boolean {
  return Object.hasOwn(node, SELF) || isEmptyObject(node);
}

function withoutSelf(node: Node): Node {
  if (!Object.hasOwn(node, SELF)) return node;
  const { [SELF]: _self, ...rest } = node;
  return rest;
}

function childOf(node: Node, element: PathElement): Node | undefined {
  return Object.hasOwn(node, element) ? nodeOf(node[element]) : undefined;
}

function nodeOf(value: JsonValue | undefined): Node | undefined {
  return isJsonObject(value) ? value : undefined;
}
