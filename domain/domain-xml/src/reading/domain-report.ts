/** What libvirt says about a domain, as far as the status of an instance shows it or a handler needs it. */
export interface DomainReport {
  /** The domain's name, `NAMESPACE_NAME` if it is one of ours. */
  readonly name: string;
  readonly uuid: string | undefined;
  /** Set if the domain is one of ours. */
  readonly owner: DomainOwner | undefined;
  readonly type: string;
  readonly architecture: string | undefined;
  readonly machineType: string | undefined;
  readonly memory: ReportedMemory;
  readonly processors: ReportedProcessors;
  readonly disks: readonly ReportedDisk[];
  readonly interfaces: readonly ReportedInterface[];
  /** The socket or terminal of the serial console. */
  readonly serialPath: string | undefined;
  readonly vncSocket: string | undefined;
  readonly vsockCid: number | undefined;
  /** Whether the agent of the guest is there to be talked to. */
  readonly isAgentConnected: boolean;
}

export interface DomainOwner {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string | undefined;
  readonly hypervisor: string | undefined;
  readonly gracePeriodSeconds: number | undefined;
}

export interface ReportedMemory {
  readonly bytes: bigint;
  /** What the guest has now, which a balloon may have made less. */
  readonly currentBytes: bigint;
  readonly maxBytes: bigint | undefined;
}

export interface ReportedProcessors {
  readonly count: number;
  readonly maxCount: number;
  readonly cores: number;
  readonly threads: number;
}

export interface ReportedDisk {
  /** The name in the instance, if libvirt kept it. */
  readonly name: string | undefined;
  readonly device: string;
  readonly target: string;
  readonly bus: string | undefined;
  readonly path: string | undefined;
  readonly isReadOnly: boolean;
}

export interface ReportedInterface {
  /** The name in the instance, if libvirt kept it. */
  readonly name: string | undefined;
  readonly mac: string | undefined;
  /** The device on the node. */
  readonly device: string | undefined;
  readonly model: string | undefined;
  readonly queues: number;
  readonly linkState: 'up' | 'down';
  readonly mtu: number | undefined;
}
