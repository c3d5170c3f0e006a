import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';

/** The serial console, unless the instance wants none. */
export const serialStep: DomainStep = deviceStep('serial', ({ instance, context: { paths } }) => {
  const { autoattachSerialConsole, logSerialConsole } = instance.spec.domain.devices;
  if (autoattachSerialConsole === false) return [];
  const isLogged = logSerialConsole !== false && paths.serialLog !== undefined;
  const target = element('target', { port: 0 });
  return [
    element('serial', { type: paths.serial === undefined ? 'pty' : 'unix' }, [
      paths.serial === undefined ? undefined : element('source', { mode: 'bind', path: paths.serial }),
      isLogged ? element('log', { file: paths.serialLog, append: 'on' }) : undefined,
      target,
    ]),
    element('console', { type: 'pty' }, [element('target', { type: 'serial', port: 0 })]),
  ];
});
