import { deviceStep, type DomainStep } from '@smalt/domain-xml';
import { element } from '@smalt/xml';

/** The console of the container. */
export const containerConsoleStep: DomainStep = deviceStep('container-console', ({ instance }) =>
  instance.spec.domain.devices.autoattachSerialConsole === false
    ? []
    : [element('console', { type: 'pty' }, [element('target', { type: 'lxc', port: 0 })])],
);
