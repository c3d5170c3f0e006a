import type { JsonObject } from '@smalt/json';
import { duplicate, forbidden, required, validateLabels, type FieldError } from '@smalt/resource';
import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';

import { endpointSliceColumns, endpointsColumns, serviceColumns } from '../columns/service-columns.ts';
import { defaultEndpoints, defaultEndpointSlice, defaultService } from '../defaults/default-service.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt } from '../read-path.ts';
import { checkName, checkPort, checkPortNumber, checkUnchanged, checkWord } from '../validation/check-field.ts';
import type { KindRules } from './kind-rules.ts';

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export const serviceRules: KindRules = {
  // Since 1.36 the name of a Service may start with a digit.
  nameRule: checkDns1123Label,
  columns: serviceColumns,
  selectableFields: {
    'spec.clusterIP': (service) => textAt(service, 'spec', 'clusterIP'),
    'spec.type': (service) => textAt(service, 'spec', 'type'),
  },
  default: defaultService,
  validate: (service) => {
    const spec = objectAt(service, 'spec');
    return [
      ...validateNeeds(spec),
      ...checkWord(spec, 'sessionAffinity', 'spec', ['ClientIP', 'None']),
      ...checkWord(spec, 'type', 'spec', TYPES),
      ...validateLabels(spec['selector'], 'spec.selector'),
      ...validatePorts(spec),
      ...validateNodePorts(spec),
    ];
  },
  validateUpdate: (service, old) => validateAddress(service, old),
};

export const endpointsRules: KindRules = {
  columns: endpointsColumns,
  default: defaultEndpoints,
  validate: (endpoints) =>
    itemsAt(endpoints, 'subsets').flatMap((subset, index) => {
      const path = `subsets[${index}]`;
      const isEmpty = itemsAt(subset, 'addresses').length + itemsAt(subset, 'notReadyAddresses').length === 0;
      return [
        ...(isEmpty ? [required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
        ...itemsAt(subset, 'ports').flatMap((port, portIndex) =>
          checkPortNumber(numberAt(port, 'port'), `${path}.ports[${portIndex}].port`),
        ),
      ];
    }),
};

export const endpointSliceRules: KindRules = {
  columns: endpointSliceColumns,
  default: defaultEndpointSlice,
  validate: (slice) => checkWord(slice, 'addressType', '', ['FQDN', 'IPv4', 'IPv6']),
  validateUpdate: (slice, old) => checkUnchanged(slice, old, 'addressType'),
};

function validateNeeds(spec: JsonObject): readonly FieldError[] {
  const type = textAt(spec, 'type');
  const errors: FieldError[] = [];
  const isHeadless = textAt(spec, 'clusterIP') === 'None';
  if (itemsAt(spec, 'ports').length === 0 && !isHeadless && type !== 'ExternalName')
    errors.push(required('spec.ports'));
  if (type === 'ExternalName') {
    if (textAt(spec, 'clusterIP') !== '') {
      errors.push(forbidden('spec.clusterIPs', 'may not be set for ExternalName services'));
    }
    const name = textAt(spec, 'externalName').replace(/\.$/, '');
    if (name === '') errors.push(required('spec.externalName'));
    else errors.push(...checkName({ externalName: name }, 'externalName', 'spec', checkDns1123Subdomain));
  }
  if (type !== 'LoadBalancer' && isGivenAt(spec, 'allocateLoadBalancerNodePorts')) {
    const field = 'spec.allocateLoadBalancerNodePorts';
    errors.push(forbidden(field, "may only be used when `type` is 'LoadBalancer'"));
  }
  return errors;
}

function validatePorts(spec: JsonObject): readonly FieldError[] {
  const ports = itemsAt(spec, 'ports');
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port, index) => {
    const path = `spec.ports[${index}]`;
    const name = textAt(port, 'name');
    const errors: FieldError[] = [];
    if (name === '' && ports.length > 1) errors.push(required(`${path}.name`));
    else if (name !== '') {
      errors.push(...checkName(port, 'name', path, checkDns1123Label));
      if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    }
    names.add(name);
    errors.push(...checkPortNumber(numberAt(port, 'port'), `${path}.port`));
    errors.push(...checkWord(port, 'protocol', path, PROTOCOLS));
    errors.push(...checkPort(port['targetPort'], `${path}.targetPort`));
    const key = `${textAt(port, 'protocol')}/${numberAt(port, 'port')}`;
    if (numbers.has(key)) {
      errors.push(duplicate(path, { port: numberAt(port, 'port'), protocol: textAt(port, 'protocol') }));
    }
    numbers.add(key);
    return errors;
  });
}

function validateNodePorts(spec: JsonObject): readonly FieldError[] {
  if (textAt(spec, 'type') !== 'ClusterIP') return [];
  return itemsAt(spec, 'ports').flatMap((port, index) =>
    numberAt(port, 'nodePort') === 0
      ? []
      : [forbidden(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
  );
}

function validateAddress(service: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = textAt(old, 'spec', 'clusterIP');
  // An address is kept for life; only a change of type to or from ExternalName gives it up.
  const isKept = before !== '' && textAt(service, 'spec', 'type') !== 'ExternalName';
  return isKept && textAt(old, 'spec', 'type') !== 'ExternalName'
    ? checkUnchanged(service, old, 'spec', 'clusterIP')
    : [];
}
