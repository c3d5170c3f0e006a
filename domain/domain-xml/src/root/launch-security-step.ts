import type { SEV } from '@smalt/vm-api';
import { element, type XmlElement } from '@smalt/xml';

import { rootStep, type DomainStep } from '../domain-step.ts';

const SEV_NO_DEBUGGING = 1;
const SEV_ENCRYPTED_STATE = 4;
/** SMT allowed, and the bit that must be set. */
const SNP_POLICY = '0x30000';
/** Only the bit that lets the guest use pages without `#VE` exceptions. */
const TDX_POLICY = '0x10000000';

/** How the guest is shielded from its host. */
export const launchSecurityStep: DomainStep = rootStep('launch-security', ({ instance }) => {
  const { sev, snp, tdx } = instance.spec.domain.launchSecurity ?? {};
  if (sev) return [sevElement(sev)];
  if (snp) return [element('launchSecurity', { type: 'sev-snp' }, [element('policy', {}, [SNP_POLICY])])];
  if (tdx) return [element('launchSecurity', { type: 'tdx' }, [element('policy', {}, [TDX_POLICY])])];
  return [];
});

function sevElement({ policy, dhCert, session }: SEV): XmlElement {
  const bits = SEV_NO_DEBUGGING + (policy?.encryptedState === true ? SEV_ENCRYPTED_STATE : 0);
  return element('launchSecurity', { type: 'sev' }, [
    element('policy', {}, [`0x${bits.toString(16).padStart(4, '0')}`]),
    dhCert === undefined ? undefined : element('dhCert', {}, [dhCert]),
    session === undefined ? undefined : element('session', {}, [session]),
  ]);
}
