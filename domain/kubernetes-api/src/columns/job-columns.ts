import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';
import { humanDuration } from '@smalt/kubernetes';

import { isGivenAt, itemsAt, numberAt, textAt, valueAt } from '../read-path.ts';
import { ageColumn, ageOf } from './age-column.ts';
import { column } from './make-column.ts';
import { containerColumns, selectorColumn } from './workload-columns.ts';

/** The conditions that say how a Job is doing, the one that counts most first; null stands for being deleted. */
const STATES = ['Complete', 'Failed', null, 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'] as const;

export const jobColumns: readonly Column[] = [
  column('Status', 'How the Job is doing.', jobStatus),
  column('Completions', 'How many pods have succeeded, out of how many.', completions),
  column('Duration', 'How long the Job took, or has taken so far.', (job, now) => {
    const start = textAt(job, 'status', 'startTime');
    if (start === '') return '';
    const end = textAt(job, 'status', 'completionTime');
    return humanDuration((end === '' ? now.getTime() : Date.parse(end)) - Date.parse(start));
  }),
  ageColumn,
  ...containerColumns('spec', 'template'),
  selectorColumn('spec', 'selector'),
];

export const cronJobColumns: readonly Column[] = [
  column('Schedule', 'When Jobs are started.', (object) => textAt(object, 'spec', 'schedule')),
  column('Timezone', 'Whose clock counts.', (object) => textAt(object, 'spec', 'timeZone') || '<none>'),
  {
    ...column('Suspend', 'Whether no Jobs are started now.', (object) => {
      const suspend = valueAt(object, 'spec', 'suspend');
      if (typeof suspend !== 'boolean') return '<unset>';
      return suspend ? 'True' : 'False';
    }),
    type: 'boolean',
  },
  {
    ...column('Active', 'How many Jobs are running.', (object) => itemsAt(object, 'status', 'active').length),
    type: 'integer',
  },
  column('Last Schedule', 'When a Job was last started.', (object, now) => {
    const time = textAt(object, 'status', 'lastScheduleTime');
    return time === '' ? '<none>' : ageOf(time, now);
  }),
  ageColumn,
  ...containerColumns('spec', 'jobTemplate', 'spec', 'template'),
  selectorColumn('spec', 'jobTemplate', 'spec', 'selector'),
];

function jobStatus(job: JsonObject): string {
  for (const state of STATES) {
    if (state === null) {
      if (isGivenAt(job, 'metadata', 'deletionTimestamp')) return 'Terminating';
    } else if (hasCondition(job, state)) return state;
  }
  return 'Running';
}

function completions(job: JsonObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  if (isGivenAt(job, 'spec', 'completions')) return `${succeeded}/${numberAt(job, 'spec', 'completions')}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function hasCondition(job: JsonObject, type: string): boolean {
  return itemsAt(job, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  );
}
