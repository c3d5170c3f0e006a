/** Annotations that admission reads or writes. */
export const AnnotationName = {
  pciTopologyVersion: 'kubevirt.io/pci-topology-version',
  completeToEvenParity: 'alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity',
  quoteSocketPath: 'kubevirt.io/qgs-socket-path',
  ignitionData: 'kubevirt.io/ignitiondata',
  hookSidecars: 'hooks.kubevirt.io/hookSidecars',
  evictionSource: 'kubevirt.io/eviction-source',
  evictionRequestedBy: 'requested-by',
} as const;
