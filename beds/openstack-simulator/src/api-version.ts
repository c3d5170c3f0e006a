import type { IncomingHttpHeaders } from 'node:http';

import { refusal } from './simulator-error.ts';

/** The microversions that a service knows. */
export interface VersionRange {
  readonly major: number;
  readonly newest: number;
}

/** The minor number of the microversion that a request asks for. Throws what the services answer to an odd one. */
export function requestedVersion(service: string, range: VersionRange, headers: IncomingHttpHeaders): number {
  const oldest = service === 'compute' ? 1 : 0;
  const text = headerFor(service, headers);
  if (text === undefined) return oldest;
  if (text === 'latest') return range.newest;
  const [major, minor] = /^(\d+)[.](\d+)$/.exec(text)?.slice(1).map(Number) ?? [];
  if (major === undefined || minor === undefined) {
    throw refusal(400, `API Version String ${text} is of invalid format. Must be of format MajorNum.MinorNum.`);
  }
  if (major !== range.major || minor < oldest || minor > range.newest) {
    const span = `Minimum is ${range.major}.${oldest} and maximum is ${range.major}.${range.newest}.`;
    throw refusal(406, `Version ${text} is not supported by the API. ${span}`);
  }
  return minor;
}

function headerFor(service: string, headers: IncomingHttpHeaders): string | undefined {
  const general = headers['openstack-api-version'];
  const [name, version] = typeof general === 'string' ? general.split(' ') : [];
  if (name === service) return version;
  const own = headers['x-openstack-nova-api-version'];
  return service === 'compute' && typeof own === 'string' ? own : undefined;
}
