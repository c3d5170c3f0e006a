/** The ports that the programs of a control plane listen on. */
interface ControlPlanePorts {
  readonly apiserver: number;
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly controllerManager: number;
  readonly scheduler: number;
}

/** Where a control plane runs. */
export interface ControlPlanePlace {
  /** Its files, keys and logs. */
  readonly directory: string;
  /** What all of it listens on. */
  readonly address: string;
  readonly ports: ControlPlanePorts;
  /** How etcd is reached: where others reach its address, too, it wants a certificate to be shown. */
  readonly scheme: 'http' | 'https';
  /** Whether it runs on a node of its cluster, where kubelets and Services are reached. */
  readonly hasNodes: boolean;
  /** What goes before a command, so that it runs there. */
  readonly enter: readonly string[];
}
