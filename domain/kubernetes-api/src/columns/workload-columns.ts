import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

import { isGivenAt, itemsAt, numberAt, objectAt, textAt, textOf } from '../read-path.ts';
import { formatLabelSelector, isEmptySelector } from '../validation/label-selector.ts';
import { ageColumn } from './age-column.ts';
import { column, integerColumn, wideColumn } from './make-column.ts';

/** The names and the images of the containers of a template, for `-o wide`. */
export function containerColumns(...template: readonly string[]): readonly Column[] {
  const joined = (object: JsonObject, name: string): string =>
    itemsAt(object, ...template, 'spec', 'containers')
      .map((container) => textAt(container, name))
      .join(',');
  return [
    wideColumn('Containers', 'The names of the containers.', (object) => joined(object, 'name')),
    wideColumn('Images', 'The images of the containers.', (object) => joined(object, 'image')),
  ];
}

/** A selector in words, for `-o wide`. */
export function selectorColumn(...path: readonly string[]): Column {
  return wideColumn('Selector', 'Which pods are meant.', (object) =>
    isGivenAt(object, ...path) ? selectorText(objectAt(object, ...path)) : '<none>',
  );
}

/** The text of a selector; `<none>` for one that says nothing. */
export function selectorText(selector: JsonObject): string {
  const isLabels = !isGivenAt(selector, 'matchLabels') && !isGivenAt(selector, 'matchExpressions');
  if (isLabels) return labelsText(selector);
  return isEmptySelector(selector) ? '<none>' : formatLabelSelector(selector);
}

/** Labels as `a=1,b=2`; `<none>` when there are none. */
export function labelsText(labels: JsonObject): string {
  const text = Object.entries(labels)
    .map(([key, value]) => `${key}=${textOf(value)}`)
    .toSorted()
    .join(',');
  return text === '' ? '<none>' : text;
}

const TEMPLATE = ['spec', 'template'] as const;

export const deploymentColumns: readonly Column[] = [
  column('Ready', 'How many pods are ready, out of how many.', readyOf),
  column('Up-to-date', 'How many pods are made from the newest template.', (object) =>
    numberAt(object, 'status', 'updatedReplicas'),
  ),
  column('Available', 'How many pods have been ready for long enough.', (object) =>
    numberAt(object, 'status', 'availableReplicas'),
  ),
  ageColumn,
  ...containerColumns(...TEMPLATE),
  selectorColumn('spec', 'selector'),
];

export const replicaSetColumns: readonly Column[] = [
  integerColumn('Desired', 'How many pods are wanted.', (object) => numberAt(object, 'spec', 'replicas')),
  integerColumn('Current', 'How many pods there are.', (object) => numberAt(object, 'status', 'replicas')),
  integerColumn('Ready', 'How many pods are ready.', (object) => numberAt(object, 'status', 'readyReplicas')),
  ageColumn,
  ...containerColumns(...TEMPLATE),
  selectorColumn('spec', 'selector'),
];

export const daemonSetColumns: readonly Column[] = [
  ...(
    [
      ['Desired', 'How many nodes should run the pod.', 'desiredNumberScheduled'],
      ['Current', 'How many nodes run the pod.', 'currentNumberScheduled'],
      ['Ready', 'How many of them are ready.', 'numberReady'],
      ['Up-to-date', 'How many are made from the newest template.', 'updatedNumberScheduled'],
      ['Available', 'How many have been ready for long enough.', 'numberAvailable'],
    ] as const
  ).map(([name, description, field]) =>
    integerColumn(name, description, (object) => numberAt(object, 'status', field)),
  ),
  column('Node Selector', 'The labels of the nodes that are meant.', (object) =>
    labelsText(objectAt(object, 'spec', 'template', 'spec', 'nodeSelector')),
  ),
  ageColumn,
  ...containerColumns(...TEMPLATE),
  selectorColumn('spec', 'selector'),
];

export const statefulSetColumns: readonly Column[] = [
  column('Ready', 'How many pods are ready, out of how many.', readyOf),
  ageColumn,
  ...containerColumns(...TEMPLATE),
];

export const controllerRevisionColumns: readonly Column[] = [
  column('Controller', 'Whose state this is.', (object) => {
    const owner = itemsAt(object, 'metadata', 'ownerReferences').find((reference) => reference['controller'] === true);
    if (owner === undefined) return '<none>';
    const version = textAt(owner, 'apiVersion');
    const group = version.includes('/') ? `.${version.slice(0, version.indexOf('/'))}` : '';
    return `${textAt(owner, 'kind').toLowerCase()}${group}/${textAt(owner, 'name')}`;
  }),
  column('Revision', 'The number of the snapshot.', (object) => numberAt(object, 'revision')),
  ageColumn,
];

function readyOf(object: JsonObject): string {
  return `${numberAt(object, 'status', 'readyReplicas')}/${numberAt(object, 'spec', 'replicas')}`;
}
