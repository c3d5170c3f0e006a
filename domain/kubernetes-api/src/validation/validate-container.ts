import type { JsonObject } from '@smalt/json';
import { duplicate, forbidden, invalid, notFound, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1123Label } from '@smalt/kubernetes';

import { isGivenAt, itemsAt, numberAt, objectAt, textAt } from '../read-path.ts';
import { checkName, checkNotNegative, checkPort, checkPortName, checkPortNumber, checkWord } from './check-field.ts';
import { validateResources } from './validate-resources.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];

/** What is wrong with a list of containers; `volumes` are the names that they may mount. */
export function validateContainers(
  spec: JsonObject,
  list: 'containers' | 'initContainers',
  path: string,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const containers = itemsAt(spec, list);
  if (containers.length === 0 && list === 'containers') return [required(`${path}.${list}`)];
  const names = new Set<string>();
  return containers.flatMap((container, index) => {
    const place = `${path}.${list}[${index}]`;
    const name = textAt(container, 'name');
    const isRepeated = name !== '' && names.has(name);
    names.add(name);
    return [
      ...validateContainer(container, place, volumes),
      ...(isRepeated ? [duplicate(`${place}.name`, name)] : []),
      ...(list === 'initContainers' ? validateInitContainer(container, place) : []),
    ];
  });
}

function validateContainer(container: JsonObject, path: string, volumes: ReadonlySet<string>): readonly FieldError[] {
  return [
    ...checkName(container, 'name', path, checkDns1123Label),
    ...(textAt(container, 'image') === '' ? [required(`${path}.image`)] : []),
    ...checkWord(container, 'terminationMessagePolicy', path, ['File', 'FallbackToLogsOnError']),
    ...validatePorts(container, `${path}.ports`),
    ...validateEnv(container, `${path}.env`),
    ...validateMounts(container, `${path}.volumeMounts`, volumes),
    ...checkWord(container, 'imagePullPolicy', path, ['Always', 'IfNotPresent', 'Never']),
    ...validateResources(objectAt(container, 'resources'), `${path}.resources`),
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) =>
      isGivenAt(container, name) ? validateProbe(objectAt(container, name), `${path}.${name}`, name) : [],
    ),
    ...['postStart', 'preStop'].flatMap((name) =>
      isGivenAt(container, 'lifecycle', name)
        ? validateHandler(objectAt(container, 'lifecycle', name), `${path}.lifecycle.${name}`)
        : [],
    ),
  ];
}

function validateInitContainer(container: JsonObject, path: string): readonly FieldError[] {
  // A container that is restarted always is a sidecar, and those are watched like any other.
  if (textAt(container, 'restartPolicy') === 'Always') return [];
  return ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle']
    .filter((name) => isGivenAt(container, name))
    .map((name) => forbidden(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always'));
}

function validatePorts(container: JsonObject, path: string): readonly FieldError[] {
  const names = new Set<string>();
  return itemsAt(container, 'ports').flatMap((port, index) => {
    const place = `${path}[${index}]`;
    const name = textAt(port, 'name');
    const problems = name === '' ? [] : checkPortName(name).map((problem) => invalid(`${place}.name`, name, problem));
    const isRepeated = name !== '' && problems.length === 0 && names.has(name);
    names.add(name);
    const number = numberAt(port, 'containerPort');
    const hostPort = numberAt(port, 'hostPort');
    return [
      ...problems,
      ...(isRepeated ? [duplicate(`${place}.name`, name)] : []),
      ...(number === 0 ? [required(`${place}.containerPort`)] : checkPortNumber(number, `${place}.containerPort`)),
      ...(hostPort === 0 ? [] : checkPortNumber(hostPort, `${place}.hostPort`)),
      ...checkWord(port, 'protocol', place, PROTOCOLS),
    ];
  });
}

function validateEnv(container: JsonObject, path: string): readonly FieldError[] {
  return itemsAt(container, 'env').flatMap((variable, index) => {
    const place = `${path}[${index}]`;
    const errors: FieldError[] = [...checkName(variable, 'name', place, checkVariableName)];
    if (isGivenAt(variable, 'valueFrom')) {
      const sources = Object.keys(objectAt(variable, 'valueFrom'));
      if (textAt(variable, 'value') !== '') {
        errors.push(invalid(`${place}.valueFrom`, '', 'may not be specified when `value` is not empty'));
      }
      if (sources.length === 0) {
        const all = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
        errors.push(invalid(`${place}.valueFrom`, '', `must specify one of: ${all}`));
      }
      if (sources.length > 1) {
        errors.push(invalid(`${place}.valueFrom`, '', 'may not have more than one field specified at a time'));
      }
    }
    return errors;
  });
}

function checkVariableName(name: string): readonly string[] {
  if (/^[ -<>-~]+$/.test(name)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

function validateMounts(container: JsonObject, path: string, volumes: ReadonlySet<string>): readonly FieldError[] {
  const paths = new Set<string>();
  return itemsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const place = `${path}[${index}]`;
    const name = textAt(mount, 'name');
    const mountPath = textAt(mount, 'mountPath');
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${place}.name`));
    if (!volumes.has(name)) errors.push(notFound(`${place}.name`, name));
    if (mountPath === '') errors.push(required(`${place}.mountPath`));
    if (paths.has(mountPath)) errors.push(invalid(`${place}.mountPath`, mountPath, 'must be unique'));
    paths.add(mountPath);
    return errors;
  });
}

function validateProbe(probe: JsonObject, path: string, name: string): readonly FieldError[] {
  const threshold = numberAt(probe, 'successThreshold');
  const mustBeOne = name !== 'readinessProbe' && threshold !== 1;
  return [
    ...validateHandler(probe, path),
    ...checkNotNegative(
      probe,
      ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'],
      path,
    ),
    ...(mustBeOne ? [invalid(`${path}.successThreshold`, threshold, 'must be 1')] : []),
  ];
}

function validateHandler(handler: JsonObject, path: string): readonly FieldError[] {
  const given = HANDLERS.filter((name) => isGivenAt(handler, name));
  if (given.length === 0) return [required(path, 'must specify a handler type')];
  const [first = '', ...others] = given;
  return [
    ...validateAction(objectAt(handler, first), first, `${path}.${first}`),
    ...others.map((name) => forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')),
  ];
}

function validateAction(action: JsonObject, name: string, path: string): readonly FieldError[] {
  if (name === 'exec') {
    const hasCommand = Array.isArray(action['command']) && action['command'].length > 0;
    return hasCommand ? [] : [required(`${path}.command`)];
  }
  if (name === 'sleep') return [];
  const errors = [...checkPort(action['port'], `${path}.port`)];
  if (name !== 'httpGet') return errors;
  const scheme = textAt(action, 'scheme');
  if (textAt(action, 'path') === '') errors.push(required(`${path}.path`));
  if (!['HTTP', 'HTTPS'].includes(scheme)) errors.push(notSupported(`${path}.scheme`, scheme, ['HTTP', 'HTTPS']));
  return errors;
}
