import { isJsonArray, isJsonObject, type JsonObject } from '@smalt/json';
import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';
import { duplicate, invalid, notSupported, required, tooMany, type FieldError } from '@smalt/resource';

import { fillIn, withChild } from '../edit-object.ts';
import { isGivenAt, numberAt, objectAt, itemsAt, textAt } from '../read-path.ts';
import { checkUnchanged } from '../validation/check-field.ts';
import type { KindRules } from './kind-rules.ts';

const MODES = ['All', 'ExactCount'];
const MOST_REQUESTS = 32;
const REQUESTS = 'spec.spec.devices.requests';

/** What devices pods ask for through claims that are made of it. Whether a device fits is for its driver to say. */
export const resourceClaimTemplateRules: KindRules = {
  default: (template) =>
    withChild(template, 'spec', (outer) =>
      withChild(outer, 'spec', (spec) =>
        withChild(spec, 'devices', (devices) => withRequests(devices, defaultRequest)),
      ),
    ),
  validate: (template) => {
    const requests = itemsAt(template, 'spec', 'spec', 'devices', 'requests');
    const names = requests.map((request) => textAt(request, 'name'));
    return [
      ...(requests.length > MOST_REQUESTS ? [tooMany(REQUESTS, requests.length, MOST_REQUESTS)] : []),
      ...requests.flatMap((request, index) => [
        ...validateRequest(request, `${REQUESTS}[${index}]`),
        ...(names.indexOf(names[index] ?? '') < index
          ? [duplicate(`${REQUESTS}[${index}].name`, names[index] ?? '')]
          : []),
      ]),
    ];
  },
  validateUpdate: (template, old) => checkUnchanged(template, old, 'spec'),
};

function withRequests(devices: JsonObject, change: (request: JsonObject) => JsonObject): JsonObject {
  const { requests } = devices;
  if (!isJsonArray(requests)) return devices;
  return { ...devices, requests: requests.map((request) => (isJsonObject(request) ? change(request) : request)) };
}

function defaultRequest(request: JsonObject): JsonObject {
  const { firstAvailable } = request;
  const filled = withChild(request, 'exactly', defaultCount);
  if (!isJsonArray(firstAvailable)) return filled;
  return { ...filled, firstAvailable: firstAvailable.map((each) => (isJsonObject(each) ? defaultCount(each) : each)) };
}

function defaultCount(request: JsonObject): JsonObject {
  const counted = fillIn(request, { allocationMode: 'ExactCount' });
  return textAt(counted, 'allocationMode') === 'ExactCount' ? fillIn(counted, { count: 1 }) : counted;
}

function validateRequest(request: JsonObject, field: string): readonly FieldError[] {
  const choices = itemsAt(request, 'firstAvailable');
  const count = (isGivenAt(request, 'exactly') ? 1 : 0) + (choices.length > 0 ? 1 : 0);
  const name = textAt(request, 'name');
  return [
    ...(name === '' ? [required(`${field}.name`)] : problems(checkDns1123Label(name), `${field}.name`, name)),
    ...(count === 1 ? [] : [invalid(field, request, 'exactly one of `exactly` or `firstAvailable` is required')]),
    ...(isGivenAt(request, 'exactly') ? validateCount(objectAt(request, 'exactly'), `${field}.exactly`) : []),
    ...choices.flatMap((each, index) => validateCount(each, `${field}.firstAvailable[${index}]`)),
  ];
}

function validateCount(request: JsonObject, field: string): readonly FieldError[] {
  const deviceClass = textAt(request, 'deviceClassName');
  const mode = textAt(request, 'allocationMode');
  const count = numberAt(request, 'count');
  return [
    ...(deviceClass === ''
      ? [required(`${field}.deviceClassName`)]
      : problems(checkDns1123Subdomain(deviceClass), `${field}.deviceClassName`, deviceClass)),
    ...(MODES.includes(mode) ? [] : [notSupported(`${field}.allocationMode`, mode, MODES)]),
    ...(mode === 'ExactCount' && count <= 0 ? [invalid(`${field}.count`, count, 'must be greater than zero')] : []),
    ...(mode === 'All' && count !== 0
      ? [invalid(`${field}.count`, count, "must not be specified when allocationMode is 'All'")]
      : []),
  ];
}

function problems(found: readonly string[], field: string, value: string): readonly FieldError[] {
  return found.map((problem) => invalid(field, value, problem));
}
