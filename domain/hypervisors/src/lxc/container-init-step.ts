import { architectureOf, rootStep, type DomainStep } from '@smalt/domain-xml';
import { element } from '@smalt/xml';

/** The first process of the container, and that it has no network but what it is given. */
export const containerInitStep: DomainStep = rootStep('container-init', ({ instance }) => [
  element('os', {}, [
    element('type', { arch: architectureOf(instance).libvirt }, ['exe']),
    element('init', {}, ['/sbin/init']),
  ]),
  element('features', {}, [element('privnet')]),
]);
