import type { JsonObject } from '@smalt/json';
import { invalid, required, type FieldError } from '@smalt/resource';

import { eventColumns } from '../columns/core-columns.ts';
import { objectAt, textAt } from '../read-path.ts';
import { checkUnchanged } from '../validation/check-field.ts';
import type { KindRules } from './kind-rules.ts';

const MAX_WORD = 128;
const MAX_NOTE = 1024;

export const coreEventRules: KindRules = {
  columns: eventColumns,
  selectableFields: {
    ...Object.fromEntries(
      ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((name) => [
        `involvedObject.${name}`,
        (event: JsonObject) => textAt(event, 'involvedObject', name),
      ]),
    ),
    reason: (event) => textAt(event, 'reason'),
    reportingComponent: (event) => textAt(event, 'reportingComponent'),
    source: (event) => textAt(event, 'source', 'component') || textAt(event, 'reportingComponent'),
    type: (event) => textAt(event, 'type'),
  },
  validate: (event) => validateNamespace(event, 'involvedObject'),
};

export const newEventRules: KindRules = {
  columns: eventColumns,
  selectableFields: {
    reason: (event) => textAt(event, 'reason'),
    reportingController: (event) => textAt(event, 'reportingController'),
    type: (event) => textAt(event, 'type'),
  },
  validate: (event) => {
    const errors: FieldError[] = [...validateNamespace(event, 'regarding')];
    if (textAt(event, 'eventTime') === '') errors.push(required('eventTime'));
    if (!['Normal', 'Warning'].includes(textAt(event, 'type'))) {
      errors.push(invalid('type', '', `has invalid value: ${textAt(event, 'type')}`));
    }
    if (textAt(event, 'reportingController') === '') errors.push(required('reportingController'));
    for (const name of ['reportingInstance', 'action', 'reason']) errors.push(...validateWord(event, name));
    if (textAt(event, 'note').length > MAX_NOTE) {
      errors.push(invalid('message', '', `can have at most ${MAX_NOTE} characters`));
    }
    return errors;
  },
  validateUpdate: (event, old) =>
    ['regarding', 'reason', 'note', 'type', 'eventTime', 'action', 'related', 'reportingController'].flatMap((name) =>
      checkUnchanged(event, old, name),
    ),
};

function validateWord(event: JsonObject, name: string): readonly FieldError[] {
  const word = textAt(event, name);
  if (word === '') return [required(name)];
  return word.length > MAX_WORD ? [invalid(name, '', `can have at most ${MAX_WORD} characters`)] : [];
}

function validateNamespace(event: JsonObject, name: string): readonly FieldError[] {
  const about = textAt(objectAt(event, name), 'namespace');
  const own = textAt(event, 'metadata', 'namespace');
  // What has no namespace reports into the default one, or wherever its reporter lives.
  return about === '' || about === own
    ? []
    : [invalid('involvedObject.namespace', about, 'does not match event.namespace')];
}
