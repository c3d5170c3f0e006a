import {
  architectureOf,
  type DomainInput,
  DomainXmlError,
  requireFirmware,
  rootStep,
  type DomainStep,
} from '@smalt/domain-xml';
import { element, type XmlElement } from '@smalt/xml';

/** What is loaded and started: a kernel of the instance, or firmware, which libvirt takes for a kernel too. */
export const payloadStep: DomainStep = rootStep('payload', (input) => {
  const { libvirt: arch } = architectureOf(input.instance);
  return [element('os', {}, [element('type', { arch }, ['hvm']), ...payload(input)])];
});

function payload(input: DomainInput): readonly XmlElement[] {
  const boot = input.instance.spec.domain.firmware?.kernelBoot;
  if (!boot?.container) return [element('kernel', {}, [requireFirmware(input, 'hypervisor').loader])];
  const { kernel, initrd } = input.context.kernel ?? {};
  if (kernel === undefined) {
    const message = 'its kernel was not unpacked on the node; the context has to name it in kernel.kernel';
    throw new DomainXmlError('missing-firmware', message, { field: 'spec.domain.firmware.kernelBoot.container' });
  }
  return [
    element('kernel', {}, [kernel]),
    ...(initrd === undefined || boot.container.initrdPath === undefined ? [] : [element('initrd', {}, [initrd])]),
    ...(boot.kernelArgs === undefined ? [] : [element('cmdline', {}, [boot.kernelArgs])]),
  ];
}
