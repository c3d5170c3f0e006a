import { deviceStep, type DomainStep } from '@smalt/domain-xml';
import { element } from '@smalt/xml';

/** The serial console as a terminal. libvirt allows one, and takes `serial` and `console` for two. */
export const terminalStep: DomainStep = deviceStep('terminal', ({ instance }) =>
  instance.spec.domain.devices.autoattachSerialConsole === false
    ? []
    : [element('serial', { type: 'pty' }, [element('target', { port: 0 })])],
);
