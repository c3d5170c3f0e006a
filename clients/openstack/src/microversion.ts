import type { AnswerReader } from './answer-reader.ts';
import { OpenStackError } from './openstack-error.ts';

/** A version such as 2.93: not a number, 2.9 is older than 2.10. */
export type Microversion = `${number}.${number}`;

/** The versions of a service's API that a call, or a service, knows. */
export interface VersionSpan {
  readonly least: Microversion;
  readonly most: Microversion;
}

/** Below zero if a is older, above if it is newer. */
export function compareMicroversions(a: Microversion, b: Microversion): number {
  const [majorA, minorA] = partsOf(a);
  const [majorB, minorB] = partsOf(b);
  return majorA - majorB || minorA - minorB;
}

/** The newest version that both sides know, or undefined if there is none. */
export function chooseMicroversion(call: VersionSpan, service: VersionSpan): Microversion | undefined {
  const newest = compareMicroversions(call.most, service.most) <= 0 ? call.most : service.most;
  const oldest = compareMicroversions(call.least, service.least) >= 0 ? call.least : service.least;
  return compareMicroversions(newest, oldest) >= 0 ? newest : undefined;
}

function isMicroversion(text: string): text is Microversion {
  return /^\d+\.\d+$/.test(text);
}

/**
 * Reads the versions that a service knows from its version document, which holds one version or a list of them. Throws
 * a `microversion` error if it has no microversions of that major version.
 */
export function readVersionSpan(document: AnswerReader, major: number, what: string): VersionSpan {
  const one = document.optionalObject('version');
  const entries = one === undefined ? document.optionalObjects('versions') : [one];
  for (const entry of entries) {
    const most = entry.optionalText('max_version') ?? entry.optionalText('version') ?? '';
    const least = entry.optionalText('min_version') ?? '';
    if (!isMicroversion(most) || !isMicroversion(least)) continue;
    if (partsOf(most)[0] === major) return { least, most };
  }
  throw new OpenStackError(
    'microversion',
    `${what}: names no microversions of version ${major}: see that the catalog points to the current API of this service`,
  );
}

function partsOf(version: Microversion): readonly [number, number] {
  const [major = '0', minor = '0'] = version.split('.');
  return [Number(major), Number(minor)];
}
