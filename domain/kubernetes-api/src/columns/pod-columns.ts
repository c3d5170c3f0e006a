import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

import { itemsAt, textAt } from '../read-path.ts';
import { ageColumn, ageOf } from './age-column.ts';
import { column, wideColumn } from './make-column.ts';
import { podStateOf } from './pod-state.ts';

export const podColumns: readonly Column[] = [
  column('Ready', 'How many containers are ready, out of how many.', (pod) => {
    const { ready, total } = podStateOf(pod);
    return `${ready}/${total}`;
  }),
  column('Status', 'What the pod is doing.', (pod) => podStateOf(pod).reason),
  column('Restarts', 'How often containers were restarted, and when last.', (pod, now) => {
    const { restarts, lastRestart } = podStateOf(pod);
    return restarts !== 0 && lastRestart !== '' ? `${restarts} (${ageOf(lastRestart, now)} ago)` : String(restarts);
  }),
  ageColumn,
  wideColumn(
    'IP',
    'The address of the pod.',
    (pod) => textAt(itemsAt(pod, 'status', 'podIPs')[0] ?? {}, 'ip') || '<none>',
  ),
  wideColumn('Node', 'The node that the pod runs on.', (pod) => textAt(pod, 'spec', 'nodeName') || '<none>'),
  wideColumn(
    'Nominated Node',
    'The node that room is made on.',
    (pod) => textAt(pod, 'status', 'nominatedNodeName') || '<none>',
  ),
  wideColumn('Readiness Gates', 'How many readiness gates are open, out of how many.', readinessGates),
];

function readinessGates(pod: JsonObject): string {
  const gates = itemsAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  if (gates.length === 0) return '<none>';
  const conditions = itemsAt(pod, 'status', 'conditions');
  const open = gates.filter((type) => {
    const condition = conditions.find((candidate) => textAt(candidate, 'type') === type);
    return condition !== undefined && textAt(condition, 'status') === 'True';
  });
  return `${open.length}/${gates.length}`;
}
