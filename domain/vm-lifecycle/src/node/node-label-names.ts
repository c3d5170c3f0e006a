/** What the names of node labels begin with that tell what guests a node can run. */
export const NodeLabelPrefix = {
  /** Ours: one for each driver that works on the node. */
  hypervisor: 'hypervisor.node.kubevirt.io/',
  cpuModel: 'cpu-model.node.kubevirt.io/',
  cpuModelMigration: 'cpu-model-migration.node.kubevirt.io/',
  cpuFeature: 'cpu-feature.node.kubevirt.io/',
  cpuVendor: 'cpu-vendor.node.kubevirt.io/',
  hostModel: 'host-model-cpu.node.kubevirt.io/',
  hostModelFeature: 'host-model-required-features.node.kubevirt.io/',
  machineType: 'machine-type.node.kubevirt.io/',
  hyperv: 'hyperv.node.kubevirt.io/',
  cpuTimer: 'cpu-timer.node.kubevirt.io/',
} as const;

export const OBSOLETE_HOST_MODEL_LABEL = 'node-labeller.kubevirt.io/obsolete-host-model';
export const SKIP_NODE_ANNOTATION = 'node-labeller.kubevirt.io/skip-node';
