import type { JsonObject } from '@smalt/json';
import { invalid, notSupported, required, type FieldError } from '@smalt/resource';

import { cronJobColumns, jobColumns } from '../columns/job-columns.ts';
import { defaultCronJob, defaultJob } from '../defaults/default-workloads.ts';
import { fillIn, withChild, withField } from '../edit-object.ts';
import { isGivenAt, isTrueAt, numberAt, objectAt, textAt } from '../read-path.ts';
import { checkNotNegative, checkUnchanged, checkWord } from '../validation/check-field.ts';
import { validateLabelSelector } from '../validation/label-selector.ts';
import { validatePodTemplate } from '../validation/validate-pod-spec.ts';
import { validateSchedule } from '../validation/validate-schedule.ts';
import type { KindRules } from './kind-rules.ts';

const MAX_CRON_JOB_NAME = 52;

export const jobRules: KindRules = {
  columns: jobColumns,
  selectableFields: { 'status.successful': (job) => String(numberAt(job, 'status', 'succeeded')) },
  default: defaultJob,
  prepareForCreate: selectByUid,
  validate: (job) => [
    ...validateJobSpec(objectAt(job, 'spec'), 'spec'),
    ...(isGivenAt(job, 'spec', 'selector')
      ? validateLabelSelector(objectAt(job, 'spec', 'selector'), 'spec.selector')
      : [required('spec.selector')]),
  ],
  validateUpdate: (job, old) => [
    ...checkUnchanged(job, old, 'spec', 'selector'),
    ...checkUnchanged(job, old, 'spec', 'completionMode'),
    // A suspended job that never started may still be sent elsewhere.
    ...(isTrueAt(old, 'spec', 'suspend') ? [] : checkUnchanged(job, old, 'spec', 'template')),
    ...(textAt(job, 'spec', 'completionMode') === 'Indexed' ? [] : checkUnchanged(job, old, 'spec', 'completions')),
  ],
};

export const cronJobRules: KindRules = {
  columns: cronJobColumns,
  default: defaultCronJob,
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    return [
      ...validateNameLength(object),
      ...validateSchedule(textAt(spec, 'schedule'), 'spec.schedule'),
      ...checkNotNegative(
        spec,
        ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'],
        'spec',
      ),
      ...checkWord(spec, 'concurrencyPolicy', 'spec', ['Allow', 'Forbid', 'Replace']),
      ...validateJobSpec(objectAt(spec, 'jobTemplate', 'spec'), 'spec.jobTemplate.spec'),
    ];
  },
};

/** A Job selects its pods by its own uid, unless its writer takes care of that. */
function selectByUid(job: JsonObject): JsonObject {
  const uid = textAt(job, 'metadata', 'uid');
  if (uid === '' || isTrueAt(job, 'spec', 'manualSelector')) return job;
  const name = textAt(job, 'metadata', 'name');
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const matchLabels = { 'batch.kubernetes.io/controller-uid': uid };
  return withChild(
    job,
    'spec',
    (spec) => fillIn(spec, { selector: { matchLabels } }),
    (spec) =>
      withChild(spec, 'template', (template) =>
        withChild(fillIn(template, { metadata: {} }), 'metadata', (metadata) =>
          withField(metadata, 'labels', { ...objectAt(metadata, 'labels'), ...labels }),
        ),
      ),
  );
}

function validateJobSpec(spec: JsonObject, path: string): readonly FieldError[] {
  const mode = textAt(spec, 'completionMode');
  const isIndexed = mode === 'Indexed';
  const errors: FieldError[] = [
    ...checkNotNegative(
      spec,
      ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'],
      path,
    ),
    ...checkNotNegative(spec, ['backoffLimitPerIndex', 'maxFailedIndexes'], path),
  ];
  if (mode !== '' && !['NonIndexed', 'Indexed'].includes(mode)) {
    errors.push(notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']));
  }
  if (isIndexed && !isGivenAt(spec, 'completions')) {
    errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
  }
  if (!isIndexed && isGivenAt(spec, 'backoffLimitPerIndex')) {
    const limit = numberAt(spec, 'backoffLimitPerIndex');
    errors.push(invalid(`${path}.backoffLimitPerIndex`, limit, 'requires indexed completion mode'));
  }
  errors.push(...validatePodTemplate(objectAt(spec, 'template'), `${path}.template`));
  const policy = textAt(spec, 'template', 'spec', 'restartPolicy');
  if (policy === 'Always') {
    const field = `${path}.template.spec.restartPolicy`;
    errors.push(required(field, 'valid values: "OnFailure", "Never"'));
  }
  return errors;
}

function validateNameLength(object: JsonObject): readonly FieldError[] {
  const name = textAt(object, 'metadata', 'name');
  return name.length > MAX_CRON_JOB_NAME
    ? [invalid('metadata.name', name, `must be no more than ${MAX_CRON_JOB_NAME} characters`)]
    : [];
}
