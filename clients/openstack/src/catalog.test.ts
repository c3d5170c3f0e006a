import { expect, it } from 'vitest';

import { findEndpoint, type CatalogEndpoint } from './catalog.ts';

const catalog: readonly CatalogEndpoint[] = [
  endpoint('compute', 'public', 'north'),
  endpoint('compute', 'internal', 'north'),
  endpoint('compute', 'public', 'south'),
  endpoint('image', 'public', 'north'),
  endpoint('volumev3', 'public', 'north'),
];

it.each([
  ['compute', { region: 'south', interface: 'public' }, 'compute public south'],
  ['compute', { region: 'north', interface: 'internal' }, 'compute internal north'],
  ['image', { interface: 'public' }, 'image public north'],
  ['volume', { interface: 'public' }, 'volumev3 public north'],
  ['network', { interface: 'public', endpoints: { network: 'http://mine' } }, 'http://mine'],
] as const)('finds %s with %o', (service, selection, url) => {
  expect(findEndpoint(catalog, service, selection)).toBe(url);
});

it.each([
  ['compute', { interface: 'public' }, catalog, 'in several regions (north, south): set region_name'],
  ['compute', { region: 'west', interface: 'public' }, catalog, 'it has internal in north, public in north, public in'],
  ['image', { interface: 'admin' }, catalog, 'no admin endpoint of image in north'],
  ['placement', { interface: 'public' }, catalog, 'no service placement; it has compute, image, volumev3'],
  ['compute', { interface: 'public' }, [], 'without a catalog'],
] as const)('says what there is instead of %s with %o', (service, selection, endpoints, words) => {
  expect(() => findEndpoint(endpoints, service, selection)).toThrow(
    expect.objectContaining({ code: 'no-endpoint', message: expect.stringContaining(words) }),
  );
});

function endpoint(serviceType: string, kind: string, region: string): CatalogEndpoint {
  return { serviceType, interface: kind, region, url: `${serviceType} ${kind} ${region}` };
}
