import type { JsonObject } from '@smalt/json';

import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { metadataText, timestamp } from '../registry/object-metadata.ts';

/** A group and version that another server serves. */
export interface ApiService {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** In PEM form. */
  readonly ca: string | undefined;
  readonly isInsecure: boolean;
}

/** Whether another server can be reached, and why not. */
export interface Availability {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** Reads an APIService; undefined for one that we serve ourselves. */
export function apiServiceOf(object: JsonObject): ApiService | undefined {
  const spec = objectAt(object, 'spec');
  if (spec['service'] === undefined || spec['service'] === null) return undefined;
  const service = objectAt(spec, 'service');
  const bundle = textAt(spec, 'caBundle');
  return {
    name: metadataText(object, 'name'),
    group: textAt(spec, 'group'),
    version: textAt(spec, 'version'),
    service: {
      namespace: textAt(service, 'namespace'),
      name: textAt(service, 'name'),
      port: typeof service['port'] === 'number' ? service['port'] : 443,
    },
    ca: bundle === '' ? undefined : Buffer.from(bundle, 'base64').toString('utf8'),
    isInsecure: spec['insecureSkipTLSVerify'] === true,
  };
}

/** The status of an APIService with its condition `Available`. */
export function availableStatus(status: JsonObject, available: Availability, now: number): JsonObject {
  const conditions = objectsAt(status, 'conditions');
  const known = conditions.find(({ type }) => type === 'Available');
  const isTurned = known === undefined || known['status'] !== available.status;
  const lastTransitionTime = isTurned ? timestamp(now) : textAt(known, 'lastTransitionTime');
  const { status: word, reason, message } = available;
  const condition = { type: 'Available', status: word, lastTransitionTime, reason, message };
  return { ...status, conditions: [...conditions.filter((each) => each !== known), condition] };
}
