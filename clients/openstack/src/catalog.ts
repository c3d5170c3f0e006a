import type { AnswerReader } from './answer-reader.ts';
import type { CloudConfig, EndpointInterface, ServiceName } from './cloud-config.ts';
import { OpenStackError } from './openstack-error.ts';

/** One address of one service. */
export interface CatalogEndpoint {
  readonly serviceType: string;
  readonly interface: string;
  readonly region: string | undefined;
  readonly url: string;
}

/** The names a service has had in catalogs over the years, the current one first. */
const TYPES_OF_SERVICE: Readonly<Record<ServiceName, readonly string[]>> = {
  compute: ['compute'],
  placement: ['placement'],
  image: ['image'],
  network: ['network'],
  volume: ['block-storage', 'block-store', 'volumev3', 'volume'],
};

/** Reads the catalog of a token, one entry per endpoint. */
export function readCatalog(services: readonly AnswerReader[]): readonly CatalogEndpoint[] {
  return services.flatMap((service) => {
    const serviceType = service.text('type');
    return service.optionalObjects('endpoints').map((endpoint) => ({
      serviceType,
      interface: endpoint.text('interface'),
      region: endpoint.optionalText('region_id') ?? endpoint.optionalText('region'),
      url: endpoint.text('url'),
    }));
  });
}

type Selection = Pick<CloudConfig, 'region' | 'interface' | 'endpoints'>;

/** The address of a service. Throws `no-endpoint`, and says what there is instead. */
export function findEndpoint(catalog: readonly CatalogEndpoint[], service: ServiceName, selection: Selection): string {
  const override = selection.endpoints?.[service];
  if (override !== undefined) return override;
  const types = TYPES_OF_SERVICE[service];
  const type = types.find((each) => catalog.some(({ serviceType }) => serviceType === each));
  if (type === undefined) throw missing(catalog.length === 0 ? emptyCatalog(service) : noService(catalog, service));
  const ofType = catalog.filter((each) => each.serviceType === type);
  const region = selection.region ?? onlyRegion(ofType, service);
  const found = ofType.find((each) => each.interface === selection.interface && each.region === region);
  if (found !== undefined) return found.url;
  const there = ofType.map((each) => `${each.interface} in ${each.region ?? 'no region'}`);
  throw missing(`the catalog has no ${describe(service, selection.interface, region)}; it has ${listed(there)}`);
}

function onlyRegion(endpoints: readonly CatalogEndpoint[], service: ServiceName): string | undefined {
  const regions = [...new Set(endpoints.map(({ region }) => region))];
  if (regions.length <= 1) return regions[0];
  throw missing(`the service ${service} is in several regions (${listed(regions.map(String))}): set region_name`);
}

function describe(service: ServiceName, kind: EndpointInterface, region: string | undefined): string {
  return `${kind} endpoint of ${service} in ${region ?? 'no region'}`;
}

function emptyCatalog(service: ServiceName): string {
  return `the token comes without a catalog, so there is no ${service}: set a project, a domain or system_scope`;
}

function noService(catalog: readonly CatalogEndpoint[], service: ServiceName): string {
  return `the catalog has no service ${service}; it has ${listed(catalog.map(({ serviceType }) => serviceType))}`;
}

function listed(words: readonly string[]): string {
  return [...new Set(words)].toSorted().join(', ');
}

function missing(message: string): OpenStackError {
  return new OpenStackError('no-endpoint', message);
}
