import type { JsonObject } from '@smalt/json';

import { objectAt, objectsAt, textAt, textsAt } from '../identity/object-fields.ts';
import type { Store } from '../store/store.ts';

/** Where a service can be reached. */
export interface ServiceAddress {
  readonly host: string;
  readonly port: number;
}

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Finds the address of a service: one of its ready endpoints, or else its own. Throws with a sentence that says why not. */
export function resolveService(store: Store, reference: ServiceReference): ServiceAddress {
  const { namespace, name, port } = reference;
  const service = store.get('services', `${namespace}/${name}`)?.value;
  if (service === undefined) throw new Error(`service ${JSON.stringify(name)} not found`);
  const spec = objectAt(service, 'spec');
  if (spec['type'] === 'ExternalName') return { host: textAt(spec, 'externalName'), port };
  const servicePort = objectsAt(spec, 'ports').find((candidate) => candidate['port'] === port);
  if (servicePort === undefined) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
  const portName = textAt(servicePort, 'name');
  const endpoint = sliceEndpoint(store, reference, portName) ?? plainEndpoint(store, reference, portName);
  if (endpoint !== undefined) return endpoint;
  const clusterIp = textAt(spec, 'clusterIP');
  if (clusterIp !== '' && clusterIp !== 'None') return { host: clusterIp, port };
  throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
}

function sliceEndpoint(store: Store, reference: ServiceReference, portName: string): ServiceAddress | undefined {
  const { namespace, name } = reference;
  for (const slice of store.range('endpointslices.discovery.k8s.io', `${namespace}/`, `${namespace}0`)) {
    if (slice.labels['kubernetes.io/service-name'] !== name) continue;
    const port = portOf(objectsAt(slice.value, 'ports'), portName);
    const endpoint = objectsAt(slice.value, 'endpoints').find(
      (candidate) => objectAt(candidate, 'conditions')['ready'] !== false && textsAt(candidate, 'addresses').length > 0,
    );
    const [host] = endpoint === undefined ? [] : textsAt(endpoint, 'addresses');
    if (host !== undefined && port !== undefined) return { host, port };
  }
  return undefined;
}

function plainEndpoint(store: Store, reference: ServiceReference, portName: string): ServiceAddress | undefined {
  const endpoints = store.get('endpoints', `${reference.namespace}/${reference.name}`)?.value;
  for (const subset of endpoints === undefined ? [] : objectsAt(endpoints, 'subsets')) {
    const port = portOf(objectsAt(subset, 'ports'), portName);
    const [address] = objectsAt(subset, 'addresses');
    if (address !== undefined && port !== undefined) return { host: textAt(address, 'ip'), port };
  }
  return undefined;
}

function portOf(ports: readonly JsonObject[], name: string): number | undefined {
  const found = ports.find((port) => textAt(port, 'name') === name)?.['port'];
  return typeof found === 'number' ? found : undefined;
}
