import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { AnnotationName } from '../annotation-names.ts';
import type { ClusterSettings } from '../cluster-settings.ts';
import { isGateOpen } from '../feature-gates.ts';

const PCI_TOPOLOGY_VERSION = 'v3';

/** Annotations for the parts that make the domain: how PCI ports are laid out, and settings of the cluster they need. */
export function defaultAnnotations(
  instance: VirtualMachineInstance,
  settings: ClusterSettings,
): VirtualMachineInstance {
  const { metadata, spec } = instance;
  const annotations = {
    ...pciTopologyAnnotation(spec),
    ...metadata.annotations,
    ...settingsAnnotations(spec, settings),
  };
  return Object.keys(annotations).length === 0 ? instance : { ...instance, metadata: { ...metadata, annotations } };
}

/** The annotation that keeps PCI addresses of a new guest as they are, for machines that have PCI Express. */
export function pciTopologyAnnotation(spec: VirtualMachineInstanceSpec): Readonly<Record<string, string>> {
  const type = spec.domain.machine?.type;
  const hasPciExpress =
    ['amd64', 'arm64', ''].includes(spec.architecture ?? '') &&
    (type === undefined || type.includes('q35') || type.startsWith('virt'));
  return hasPciExpress ? { [AnnotationName.pciTopologyVersion]: PCI_TOPOLOGY_VERSION } : {};
}

function settingsAnnotations(
  spec: VirtualMachineInstanceSpec,
  settings: ClusterSettings,
): Readonly<Record<string, string>> {
  const { cpu, launchSecurity } = spec.domain;
  const isEven =
    cpu?.isolateEmulatorThread === true && settings.completesToEvenParity && isGateOpen(settings, 'AlignCPUs');
  const hasQuotes = launchSecurity?.tdx !== undefined && settings.quoteSocketPath !== '';
  return {
    ...(isEven ? { [AnnotationName.completeToEvenParity]: '' } : {}),
    ...(hasQuotes ? { [AnnotationName.quoteSocketPath]: settings.quoteSocketPath } : {}),
  };
}
