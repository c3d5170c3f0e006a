import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';
import { isOn } from '../shape/is-on.ts';

/** An emulated trusted platform module, when asked for. */
export const trustedPlatformModuleStep: DomainStep = deviceStep('trusted-platform-module', ({ instance }) => {
  const { tpm } = instance.spec.domain.devices;
  if (!tpm || !isOn(tpm)) return [];
  const isPersistent = tpm.persistent === true;
  return [
    element('tpm', { model: isPersistent ? 'tpm-crb' : 'tpm-tis' }, [
      element('backend', { type: 'emulator', version: '2.0', persistent_state: isPersistent ? 'yes' : undefined }),
    ]),
  ];
});
