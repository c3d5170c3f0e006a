import type { JsonObject } from '@smalt/json';

import { objectsAt, textAt } from '../identity/object-fields.ts';
import { timestamp } from '../registry/object-metadata.ts';

/** What is left in a namespace that is being deleted. */
export interface Remains {
  /** By resource, such as `pods.` or `machines.bench.example.dev`. */
  readonly resources: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
  readonly failures: readonly string[];
}

interface NamespaceCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The status of a namespace with conditions that tell how far its deletion has got. */
export function namespaceStatus(status: JsonObject, remains: Remains, now: number): JsonObject {
  const known = objectsAt(status, 'conditions');
  const wanted = conditionsOf(remains);
  const types = new Set(wanted.map(({ type }) => type));
  const others = known.filter((condition) => !types.has(textAt(condition, 'type')));
  const conditions = wanted.map((condition) => {
    const old = known.find(({ type }) => type === condition.type);
    const isTurned = old === undefined || old['status'] !== condition.status;
    const { type, status: word, reason, message } = condition;
    const lastTransitionTime = isTurned ? timestamp(now) : textAt(old, 'lastTransitionTime');
    return { type, status: word, lastTransitionTime, reason, message };
  });
  return { ...status, conditions: [...others, ...conditions] };
}

function conditionsOf({ resources, finalizers, failures }: Remains): readonly NamespaceCondition[] {
  const left = [...resources].map(([name, count]) => `${name} has ${count} resource instances`).toSorted();
  const held = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`).toSorted();
  return [
    no('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    no(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    failures.length === 0
      ? no(
          'NamespaceDeletionContentFailure',
          'ContentDeleted',
          'All content successfully deleted, may be waiting on finalization',
        )
      : yes(
          'NamespaceDeletionContentFailure',
          'ContentDeletionFailed',
          `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(', ')}`,
        ),
    left.length === 0
      ? no('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : yes('NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${left.join(', ')}`),
    held.length === 0
      ? no('NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : yes(
          'NamespaceFinalizersRemaining',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${held.join(', ')}`,
        ),
  ];
}

function yes(type: string, reason: string, message: string): NamespaceCondition {
  return { type, status: 'True', reason, message };
}

function no(type: string, reason: string, message: string): NamespaceCondition {
  return { type, status: 'False', reason, message };
}
