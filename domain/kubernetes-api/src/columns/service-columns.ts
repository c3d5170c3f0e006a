import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

import { isGivenAt, itemsAt, numberAt, objectAt, textAt, textsAt } from '../read-path.ts';
import { ageColumn } from './age-column.ts';
import { column, wideColumn } from './make-column.ts';
import { labelsText, selectorText } from './workload-columns.ts';

const MAX_SHOWN = 3;

export const serviceColumns: readonly Column[] = [
  column('Type', 'How the service is reached.', (service) => textAt(service, 'spec', 'type')),
  column('Cluster-IP', 'Its address inside the cluster.', (service) => {
    return textsAt(service, 'spec', 'clusterIPs')[0] ?? (textAt(service, 'spec', 'clusterIP') || '<none>');
  }),
  column('External-IP', 'Its address for others.', externalAddress),
  column('Port(s)', 'Its ports.', (service) => itemsAt(service, 'spec', 'ports').map(portText).join(',') || '<none>'),
  ageColumn,
  wideColumn('Selector', 'Which pods are meant.', (service) => labelsText(objectAt(service, 'spec', 'selector'))),
];

export const endpointsColumns: readonly Column[] = [
  column('Endpoints', 'The addresses.', (endpoints) => {
    const subsets = itemsAt(endpoints, 'subsets');
    return subsets.length === 0 ? '<none>' : someOf(subsets.flatMap(subsetAddresses), '');
  }),
  ageColumn,
];

export const endpointSliceColumns: readonly Column[] = [
  column('AddressType', 'What kind of addresses these are.', (slice) => textAt(slice, 'addressType')),
  column('Ports', 'The ports.', (slice) =>
    someOf(
      itemsAt(slice, 'ports').map((port) =>
        isGivenAt(port, 'port') ? String(numberAt(port, 'port')) : textAt(port, 'name') || '*',
      ),
      '<unset>',
    ),
  ),
  column('Endpoints', 'The addresses.', (slice) =>
    someOf(
      itemsAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses')),
      '<unset>',
    ),
  ),
  ageColumn,
];

export const ingressColumns: readonly Column[] = [
  column(
    'Class',
    'The kind of ingress controller.',
    (ingress) => textAt(ingress, 'spec', 'ingressClassName') || '<none>',
  ),
  column('Hosts', 'The host names.', (ingress) =>
    someOf(
      itemsAt(ingress, 'spec', 'rules')
        .map((rule) => textAt(rule, 'host'))
        .filter((host) => host !== ''),
      '*',
    ),
  ),
  column('Address', 'Where it can be reached.', (ingress) => balancerAddresses(ingress).join(',')),
  column('Ports', 'The ports.', (ingress) => (itemsAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
  ageColumn,
];

export const ingressClassColumns: readonly Column[] = [
  column('Controller', 'Who serves it.', (object) => textAt(object, 'spec', 'controller')),
  column('Parameters', 'Where its settings are.', (object) => {
    if (!isGivenAt(object, 'spec', 'parameters')) return '<none>';
    const parameters = objectAt(object, 'spec', 'parameters');
    const group = textAt(parameters, 'apiGroup');
    return `${textAt(parameters, 'kind')}${group === '' ? '' : `.${group}`}/${textAt(parameters, 'name')}`;
  }),
  ageColumn,
];

export const networkPolicyColumns: readonly Column[] = [
  column('Pod-Selector', 'Which pods are meant.', (object) => selectorText(objectAt(object, 'spec', 'podSelector'))),
  ageColumn,
];

/** The first few of a list, and how many more there are. */
function someOf(list: readonly string[], empty: string): string {
  if (list.length === 0) return empty;
  const shown = list.slice(0, MAX_SHOWN).join(',');
  return list.length > MAX_SHOWN ? `${shown} + ${list.length - MAX_SHOWN} more...` : shown;
}

function externalAddress(service: JsonObject): string {
  const type = textAt(service, 'spec', 'type');
  if (type === 'ExternalName') return textAt(service, 'spec', 'externalName');
  const own = textsAt(service, 'spec', 'externalIPs');
  if (type !== 'LoadBalancer') return own.join(',') || '<none>';
  return [...balancerAddresses(service), ...own].join(',') || '<pending>';
}

function balancerAddresses(object: JsonObject): readonly string[] {
  const addresses = itemsAt(object, 'status', 'loadBalancer', 'ingress').map(
    (ingress) => textAt(ingress, 'ip') || textAt(ingress, 'hostname'),
  );
  return [...new Set(addresses.filter((address) => address !== ''))].toSorted();
}

function portText(port: JsonObject): string {
  const nodePort = numberAt(port, 'nodePort');
  return `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${textAt(port, 'protocol')}`;
}

function subsetAddresses(subset: JsonObject): readonly string[] {
  const addresses = itemsAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
  const ports = itemsAt(subset, 'ports').map((port) => numberAt(port, 'port'));
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) => addresses.map((ip) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
}
