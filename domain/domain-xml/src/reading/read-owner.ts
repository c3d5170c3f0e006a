import type { XmlCursor } from '@smalt/xml';

import { METADATA_NAMESPACE } from '../metadata-namespace.ts';
import type { DomainOwner } from './domain-report.ts';

const DOMAIN_NAME = /^(?<namespace>[^_]+)_(?<name>[^_]+)$/u;

/** The instance that a domain belongs to, if its name and metadata say so. */
export function readOwner(domain: XmlCursor): DomainOwner | undefined {
  const [mark] = domain.child('metadata')?.childrenIn(METADATA_NAMESPACE, 'kubevirt') ?? [];
  const { namespace, name } = DOMAIN_NAME.exec(domain.requireText('name'))?.groups ?? {};
  if (!mark || namespace === undefined || name === undefined) return undefined;
  const valueOf = (localName: string, parent: XmlCursor | undefined = mark): string | undefined =>
    parent?.childrenIn(METADATA_NAMESPACE, localName)[0]?.text;
  const [graceMark] = mark.childrenIn(METADATA_NAMESPACE, 'graceperiod');
  const grace = graceMark && valueOf('deletionGracePeriodSeconds', graceMark);
  return {
    namespace,
    name,
    uid: valueOf('uid'),
    hypervisor: valueOf('hypervisor'),
    gracePeriodSeconds: grace === undefined || !/^\d+$/u.test(grace) ? undefined : Number(grace),
  };
}
