import type { Status } from '@smalt/kubernetes';
import { goQuote } from '@smalt/resource';
import type { VirtualMachine, VirtualMachineInstance } from '@smalt/vm-api';

import type { Refusal } from './decision.ts';

/** Refuses because of the state that an object is in. */
export function conflict(object: VirtualMachine | VirtualMachineInstance, message: string): Refusal {
  return { kind: 'refuse', code: 409, ...resourceOf(object), message };
}

/** Refuses because it must never be done to this object. */
export function denied(object: VirtualMachine | VirtualMachineInstance, message: string): Refusal {
  return { kind: 'refuse', code: 403, ...resourceOf(object), message };
}

/** Refuses because the request is wrong whatever the state. */
export function badRequest(message: string): Refusal {
  return { kind: 'refuse', code: 400, message };
}

function resourceOf({
  kind,
  metadata,
}: VirtualMachine | VirtualMachineInstance): Required<Pick<Refusal, 'resource' | 'name'>> {
  return { resource: kind === 'VirtualMachine' ? 'virtualmachine' : 'virtualmachineinstance', name: metadata.name };
}

const REASONS = { 400: 'BadRequest', 403: 'Forbidden', 404: 'NotFound', 409: 'Conflict' } as const;
const GROUP = 'kubevirt.io';

/** The Status that tells of a refusal, in the words that existing clients know. */
export function statusOfRefusal(refusal: Refusal): Status {
  const { code, resource, name } = refusal;
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: messageOf(refusal),
    reason: REASONS[code],
    ...(resource === undefined || name === undefined ? {} : { details: { name, group: GROUP, kind: resource } }),
    code,
  };
}

function messageOf({ code, resource, name = '', message }: Refusal): string {
  if (resource === undefined) return message;
  const object = `${resource}.${GROUP} ${goQuote(name)}`;
  switch (code) {
    case 409:
      return `Operation cannot be fulfilled on ${object}: ${message}`;
    case 403:
      return `${object} is forbidden: ${message}`;
    case 404:
      return `${object} not found`;
    case 400:
      return message;
  }
}
