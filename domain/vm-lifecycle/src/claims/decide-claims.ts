import {
  labelSelectorFrom,
  matchesLabels,
  type KubernetesObject,
  type LabelSelectorObject,
  type OwnerReference,
} from '@smalt/kubernetes';

/** A set that counts objects by their labels, such as a replica set. */
export interface CountingSet {
  readonly owner: KubernetesObject;
  readonly selector: LabelSelectorObject;
  /** The labels that it gives to what it makes. */
  readonly templateLabels: Readonly<Record<string, string>> | undefined;
}

/** Another owner of an object than before, if it is still as it was read. */
export interface OwnerChange<T extends KubernetesObject> {
  readonly object: T;
  readonly ownerReferences: readonly OwnerReference[];
}

export interface Claims<T extends KubernetesObject> {
  /** What the set has. What it takes is not among these yet. */
  readonly own: readonly T[];
  /** What nobody looks after and the selector matches: the set takes it. */
  readonly adopted: readonly OwnerChange<T>[];
  /** What the set has and the selector no longer matches: it lets go of it. */
  readonly released: readonly OwnerChange<T>[];
}

/**
 * Decides which objects a set has, takes and lets go of, by their labels. What somebody else looks after it never touches.
 * A set that is being deleted takes nothing and lets go of nothing: what it has goes with it, or is orphaned, as its deletion
 * says. Nothing is taken that is being deleted or cannot serve (any more), nor by a set whose selector matches everything.
 */
export function decideClaims<T extends KubernetesObject>(
  set: CountingSet,
  objects: readonly T[],
  canServe: (object: T) => boolean,
): Claims<T> {
  const { owner, selector, templateLabels } = set;
  const owned = objects.filter((object) => isOwnedBy(object, owner));
  const parsed = labelSelectorFrom(selector);
  const isIdle = !matchesLabels(parsed, templateLabels);
  if (isIdle) return { own: owned, adopted: [], released: [] };
  const matches = ({ metadata }: T): boolean => matchesLabels(parsed, metadata.labels);
  const own = owned.filter(matches);
  if (owner.metadata.deletionTimestamp !== undefined) return { own, adopted: [], released: [] };
  const adopted = objects.filter((object) => isFree(object) && matches(object) && canServe(object));
  const released = owned.filter((object) => !matches(object));
  return {
    own,
    adopted: parsed.requirements.length === 0 ? [] : adopted.map((object) => withOwner(object, owner)),
    released: released.map((object) => withoutOwner(object, owner)),
  };
}

function isOwnedBy(object: KubernetesObject, { metadata }: KubernetesObject): boolean {
  return metadata.uid !== undefined && controllerOf(object)?.uid === metadata.uid;
}

/** Whether an object is there to stay, and nobody looks after it. */
function isFree(object: KubernetesObject): boolean {
  return object.metadata.deletionTimestamp === undefined && controllerOf(object) === undefined;
}

function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

function withOwner<T extends KubernetesObject>(object: T, owner: KubernetesObject): OwnerChange<T> {
  const { apiVersion, kind } = owner;
  const { name, uid = '' } = owner.metadata;
  const reference = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  return { object, ownerReferences: [...withoutOwner(object, owner).ownerReferences, reference] };
}

/** Whoever else is named as an owner stays. */
function withoutOwner<T extends KubernetesObject>(object: T, owner: KubernetesObject): OwnerChange<T> {
  const references = object.metadata.ownerReferences ?? [];
  return { object, ownerReferences: references.filter(({ uid }) => uid !== owner.metadata.uid) };
}
