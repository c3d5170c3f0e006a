import type { JsonObject } from '@smalt/json';
import {
  duplicate,
  forbidden,
  invalid,
  required,
  validateAnnotations,
  validateLabels,
  type FieldError,
} from '@smalt/resource';
import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';

import { messageType } from '../catalog.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt } from '../read-path.ts';
import { checkName, checkWord } from './check-field.ts';
import { validateAffinity } from './validate-affinity.ts';
import { validateContainers } from './validate-container.ts';
import { validateTopologySpread } from './validate-topology-spread.ts';

const MAX_INT32 = 2 ** 31 - 1;
const DNS_POLICIES = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];

/** What is wrong with the spec of a pod that has its defaults. */
export function validatePodSpec(spec: JsonObject, path: string): readonly FieldError[] {
  const volumes = new Set(itemsAt(spec, 'volumes').map((volume) => textAt(volume, 'name')));
  return [
    ...validateVolumes(spec, `${path}.volumes`),
    ...validateContainers(spec, 'containers', path, volumes),
    ...validateContainers(spec, 'initContainers', path, volumes),
    ...validateNamesAcross(spec, path),
    ...checkWord(spec, 'restartPolicy', path, ['Always', 'OnFailure', 'Never']),
    ...checkWord(spec, 'dnsPolicy', path, DNS_POLICIES),
    ...checkOptionalName(spec, 'serviceAccountName', path),
    ...checkOptionalName(spec, 'nodeName', path),
    ...checkOptionalName(spec, 'priorityClassName', path),
    ...validateHostname(spec, path),
    ...validateSeconds(spec, path),
    ...validateTolerations(spec, `${path}.tolerations`),
    ...validateLabels(spec['nodeSelector'], `${path}.nodeSelector`),
    ...validateAffinity(objectAt(spec, 'affinity'), `${path}.affinity`),
    ...validateTopologySpread(itemsAt(spec, 'topologySpreadConstraints'), `${path}.topologySpreadConstraints`),
  ];
}

/** What is wrong with a template of pods. */
export function validatePodTemplate(template: JsonObject, path: string): readonly FieldError[] {
  const metadata = objectAt(template, 'metadata');
  return [
    ...validateLabels(metadata['labels'], `${path}.labels`),
    ...validateAnnotations(metadata['annotations'], `${path}.annotations`),
    ...validatePodSpec(objectAt(template, 'spec'), `${path}.spec`),
  ];
}

function validateVolumes(spec: JsonObject, path: string): readonly FieldError[] {
  const names = new Set<string>();
  return itemsAt(spec, 'volumes').flatMap((volume, index) => {
    const place = `${path}[${index}]`;
    const name = textAt(volume, 'name');
    const isRepeated = name !== '' && names.has(name);
    names.add(name);
    return [
      ...validateVolumeSource(volume, place),
      ...checkName(volume, 'name', place, checkDns1123Label),
      ...(isRepeated ? [duplicate(`${place}.name`, name)] : []),
    ];
  });
}

function validateVolumeSource(volume: JsonObject, path: string): readonly FieldError[] {
  const known = messageType('core', 'VolumeSource').byName;
  const [first, ...others] = Object.keys(volume).filter((name) => known.has(name));
  if (first === undefined) return [required(path, 'must specify a volume type')];
  const errors: FieldError[] = others.map((name) =>
    forbidden(`${path}.${name}`, 'may not specify more than 1 volume type'),
  );
  const source = objectAt(volume, first);
  const mustHave: Readonly<Record<string, string>> = {
    hostPath: 'path',
    secret: 'secretName',
    configMap: 'name',
    persistentVolumeClaim: 'claimName',
    nfs: 'server',
  };
  const field = Object.hasOwn(mustHave, first) ? mustHave[first] : undefined;
  if (field !== undefined && textAt(source, field) === '') errors.push(required(`${path}.${first}.${field}`));
  return errors;
}

// Containers of both kinds share one set of names.
function validateNamesAcross(spec: JsonObject, path: string): readonly FieldError[] {
  const names = new Set(itemsAt(spec, 'containers').map((container) => textAt(container, 'name')));
  return itemsAt(spec, 'initContainers').flatMap((container, index) => {
    const name = textAt(container, 'name');
    return name !== '' && names.has(name) ? [duplicate(`${path}.initContainers[${index}].name`, name)] : [];
  });
}

function checkOptionalName(spec: JsonObject, name: string, path: string): readonly FieldError[] {
  return textAt(spec, name) === '' ? [] : checkName(spec, name, path, checkDns1123Subdomain);
}

function validateHostname(spec: JsonObject, path: string): readonly FieldError[] {
  return ['hostname', 'subdomain'].flatMap((name) =>
    textAt(spec, name) === '' ? [] : checkName(spec, name, path, checkDns1123Label),
  );
}

function validateSeconds(spec: JsonObject, path: string): readonly FieldError[] {
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  const isDeadlineBad = isGivenAt(spec, 'activeDeadlineSeconds') && (deadline < 1 || deadline > MAX_INT32);
  return isDeadlineBad
    ? [invalid(`${path}.activeDeadlineSeconds`, deadline, `must be between 1 and ${MAX_INT32}, inclusive`)]
    : [];
}

function validateTolerations(spec: JsonObject, path: string): readonly FieldError[] {
  return itemsAt(spec, 'tolerations').flatMap((toleration, index) => {
    const place = `${path}[${index}]`;
    const operator = textAt(toleration, 'operator');
    const errors: FieldError[] = [];
    if (textAt(toleration, 'key') === '' && operator !== 'Exists') {
      errors.push(
        invalid(
          `${place}.operator`,
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    }
    if (isGivenAt(toleration, 'tolerationSeconds') && textAt(toleration, 'effect') !== 'NoExecute') {
      const effect = textAt(toleration, 'effect');
      errors.push(invalid(`${place}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    }
    if (operator === 'Exists' && textAt(toleration, 'value') !== '') {
      errors.push(invalid(`${place}.operator`, toleration, "value must be empty when `operator` is 'Exists'"));
    }
    return errors;
  });
}
