import type { VirtualMachineInstance } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { rootStep, type DomainInput, type DomainStep } from '../domain-step.ts';
import { DomainXmlError } from '../domain-xml-error.ts';
import { METADATA_NAMESPACE } from '../metadata-namespace.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const DEFAULT_GRACE_SECONDS = 30;

/** Name, id and metadata: by these a domain is known as that of an instance. */
export const identityStep: DomainStep = rootStep('identity', ({ instance }: DomainInput) => {
  const uuid = domainUuid(instance);
  return [
    element('name', {}, [domainName(instance)]),
    ...(uuid === undefined ? [] : [element('uuid', {}, [uuid])]),
    element('metadata', {}, [metadata(instance)]),
  ];
});

/** The name of an instance's domain: `NAMESPACE_NAME`, which no other instance has, as neither part may hold a `_`. */
export function domainName({ metadata: { namespace = 'default', name } }: VirtualMachineInstance): string {
  return `${namespace}_${name}`;
}

/** The id of an instance's domain. libvirt demands that it is the id that the guest reads. */
export function domainUuid({ metadata: { uid }, spec }: VirtualMachineInstance): string | undefined {
  const asked = spec.domain.firmware?.uuid;
  if (asked === undefined) return uid !== undefined && UUID.test(uid) ? uid.toLowerCase() : undefined;
  if (UUID.test(asked)) return asked.toLowerCase();
  throw new DomainXmlError('invalid-field', `"${asked}" is no UUID; write it like ${EXAMPLE}`, {
    field: 'spec.domain.firmware.uuid',
  });
}

const EXAMPLE = '5d307ca9-b3ef-428c-8861-06e72d69f223';

function metadata({ metadata: { uid }, spec }: VirtualMachineInstance): XmlElement {
  const grace = spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE_SECONDS;
  return element('kubevirt', { xmlns: METADATA_NAMESPACE }, [
    uid === undefined ? undefined : element('uid', {}, [uid]),
    spec.hypervisor === undefined ? undefined : element('hypervisor', {}, [spec.hypervisor]),
    element('graceperiod', {}, [element('deletionGracePeriodSeconds', {}, [String(grace)])]),
  ]);
}
