// Written by 'npm run generate' from domain/fleet-api/kinds. Change the declarations there instead.

import type { Condition, ObjectMeta } from '@smalt/kubernetes';

/** A host that runs virtual machines. It has the name of its node. */
export interface Hypervisor {
  readonly apiVersion: 'kvm.cloud.sap/v1';
  readonly kind: 'Hypervisor';
  readonly metadata: ObjectMeta;
  /** What is wanted of a hypervisor. */
  readonly spec?: HypervisorSpec;
  /** What is known about a hypervisor. */
  readonly status?: HypervisorStatus;
}

/** What is wanted of a hypervisor. */
export interface HypervisorSpec {
  /** The names of the host aggregates it should be in. */
  readonly aggregates: readonly string[];
  /** The ids of the projects that may place servers here; empty allows all. */
  readonly allowedProjects: readonly string[];
  /** Have the node agent ask cert-manager for a certificate of the host. */
  readonly createCertManagerCertificate: boolean;
  /** The custom traits it should have in Placement. */
  readonly customTraits: readonly string[];
  /** Hold back a reboot of the host until its instances have moved away. */
  readonly evacuateOnReboot: boolean;
  /** The traits and aggregates that the scheduler reads; duplicates are not refused. */
  readonly groups?: readonly HypervisorGroup[];
  /** Rebuild its instances elsewhere when the host is lost. */
  readonly highAvailability: boolean;
  /** Have the node agent install the TLS certificate of the host. */
  readonly installCertificate: boolean;
  /** Onboard, look after and offboard the host. */
  readonly lifecycleEnabled: boolean;
  /** Why the host is being emptied and kept empty; empty when it is in use. */
  readonly maintenance?: '' | 'manual' | 'auto' | 'ha' | 'termination';
  /** What a person does to the host; must be given for the mode `manual`. */
  readonly maintenanceReason?: string;
  /** How many times each resource may be given away: `cpu`, `memory`. 1 where not set. */
  readonly overcommit?: Readonly<Record<string, number>>;
  /** Reboot after an update of the operating system. */
  readonly reboot: boolean;
  /** Onboard the host without the test instance. */
  readonly skipTests: boolean;
  /** The operating system version it should run; `latest` takes the newest. Empty: no update. */
  readonly version?: string;
}

/** One membership of the hypervisor: a trait or an aggregate. */
export interface HypervisorGroup {
  /** The aggregate that the hypervisor is in. */
  readonly aggregate?: AggregateGroup;
  /** The trait that the hypervisor has. */
  readonly trait?: TraitGroup;
}

/** Membership in an aggregate of hosts. */
export interface AggregateGroup {
  /** What is noted about the aggregate. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The name of the aggregate. */
  readonly name: string;
  /** The id of the aggregate. */
  readonly uuid: string;
}

/** Membership by a trait, such as a trait in Placement. */
export interface TraitGroup {
  /** The name of the trait. */
  readonly name: string;
}

/** What is known about a hypervisor. */
export interface HypervisorStatus {
  /** The host aggregates it is in. */
  readonly aggregates?: readonly Aggregate[];
  /** What its guests were given, those that do not run included. */
  readonly allocation?: Readonly<Record<string, number | string>>;
  /** What libvirt says about the host. */
  readonly capabilities?: Capabilities;
  /** What it physically has. */
  readonly capacity?: Readonly<Record<string, number | string>>;
  /** Its NUMA cells. */
  readonly cells?: readonly Cell[];
  /** What is the case with the host. */
  readonly conditions?: readonly Condition[];
  /** What libvirt can give to a guest. */
  readonly domainCapabilities?: DomainCapabilities;
  /** What it has to give, overcommit included; fractions are cut off. */
  readonly effectiveCapacity?: Readonly<Record<string, number | string>>;
  /** Whether it is in maintenance and all instances have left. */
  readonly evicted?: boolean;
  /** Its id as a hypervisor in Nova and as a resource provider in Placement. */
  readonly hypervisorId?: string;
  /** The version of the virtual machine monitor. */
  readonly hypervisorVersion?: string;
  /** The guests, those that run first. */
  readonly instances?: readonly Instance[];
  /** The internal address of the node. */
  readonly internalIp?: string;
  /** The version of libvirt. */
  readonly libVirtVersion?: string;
  /** Where it is in its life, in one word; the conditions tell the rest. */
  readonly lifecycleState?: 'Initial' | 'Onboarding' | 'Testing' | 'Aborted' | 'Ready' | 'Active' | 'Maintenance' | 'Evicting' | 'Decommissioned';
  /** How many guests there are, those that do not run included. */
  readonly numInstances: number;
  /** The operating system, firmware and hardware. */
  readonly operatingSystem?: OperatingSystemStatus;
  /** The id of its compute service in Nova. */
  readonly serviceId?: string;
  /** How the test instances fared, while the host is onboarded. */
  readonly smokeTest?: SmokeTest;
  /** Kept for objects that have it; nothing reads it. */
  readonly specHash?: string;
  /** The traits it has in Placement, sorted. */
  readonly traits?: readonly string[];
  /** How far the update of the operating system is. */
  readonly updateStatus?: HypervisorUpdateStatus;
}

/** A host aggregate that the hypervisor is in. */
export interface Aggregate {
  /** What is noted about the aggregate. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** The name of the aggregate. */
  readonly name: string;
  /** The id of the aggregate. */
  readonly uuid: string;
}

/** What libvirt says about the host. */
export interface Capabilities {
  /** The architecture of its processors. */
  readonly cpuArch?: string;
  /** The processors of all NUMA cells. */
  readonly cpus?: number | string;
  /** The memory of all NUMA cells. */
  readonly memory?: number | string;
}

/** A NUMA cell of the host. */
export interface Cell {
  /** What its guests were given. */
  readonly allocation?: Readonly<Record<string, number | string>>;
  /** What it physically has. */
  readonly capacity?: Readonly<Record<string, number | string>>;
  /** The number of the cell. */
  readonly cellID: number;
  /** What it has to give, overcommit included. */
  readonly effectiveCapacity?: Readonly<Record<string, number | string>>;
}

/** What libvirt can give to a guest on this host. */
export interface DomainCapabilities {
  /** The architecture of guests. */
  readonly arch?: string;
  /** The type of guests, such as `ch`, `kvm` or `qemu`. */
  readonly hypervisorType?: string;
  /** CPU modes as `mode/NAME` and `mode/NAME/VALUE`. */
  readonly supportedCpuModes?: readonly string[];
  /** Devices as `NAME` and `NAME/VALUE`, such as `video/none`. */
  readonly supportedDevices?: readonly string[];
  /** Features that are supported, such as `sev`. */
  readonly supportedFeatures?: readonly string[];
}

/** A domain of libvirt on the host. */
export interface Instance {
  /** Whether it runs. */
  readonly active: boolean;
  /** The UUID of the domain. */
  readonly id: string;
  /** The name of the domain. */
  readonly name: string;
}

/** The operating system, firmware and hardware of the host. */
export interface OperatingSystemStatus {
  /** When the firmware was made. */
  readonly firmwareDate?: string;
  /** Who made the firmware. */
  readonly firmwareVendor?: string;
  /** The version of the firmware. */
  readonly firmwareVersion?: string;
  /** The commit that Garden Linux was built from. */
  readonly gardenLinuxCommitID?: string;
  /** The features that Garden Linux was built with. */
  readonly gardenLinuxFeatures?: readonly string[];
  /** The model of the machine. */
  readonly hardwareModel?: string;
  /** The serial number of the machine. */
  readonly hardwareSerial?: string;
  /** Who made the machine. */
  readonly hardwareVendor?: string;
  /** What the kernel was started with. */
  readonly kernelCommandLine?: string;
  /** The name of the kernel, such as `Linux`. */
  readonly kernelName?: string;
  /** The release of the kernel. */
  readonly kernelRelease?: string;
  /** The version of the kernel, with its build. */
  readonly kernelVersion?: string;
  /** Name and version for people. */
  readonly prettyVersion?: string;
  /** The variant of the operating system. */
  readonly variantID?: string;
  /** The version of the operating system. */
  readonly version?: string;
}

/** How the test instances of onboarding fared. */
export interface SmokeTest {
  /** When the last one failed. */
  readonly failedAt?: string;
  /** How many failed since onboarding began. */
  readonly failures: number;
  /** The id of the last one that failed. */
  readonly instanceId?: string;
  /** Why the last one failed. */
  readonly message?: string;
  /** When one passed. */
  readonly passedAt?: string;
}

/** How far the update of the operating system is. */
export interface HypervisorUpdateStatus {
  /** Whether an update runs. */
  readonly inProgress: boolean;
  /** The version that was installed last. */
  readonly installed?: string;
  /** How many more times it will be tried. */
  readonly retry: number;
}

/** An order to move all instances off a hypervisor. */
export interface Eviction {
  readonly apiVersion: 'kvm.cloud.sap/v1';
  readonly kind: 'Eviction';
  readonly metadata: ObjectMeta;
  /** Which host is to be emptied, and why. */
  readonly spec?: EvictionSpec;
  /** How far the eviction is. */
  readonly status?: EvictionStatus;
}

/** Which host is to be emptied, and why. */
export interface EvictionSpec {
  /** The name of the hypervisor to empty. */
  readonly hypervisor: string;
  /** Why it is emptied. */
  readonly reason: string;
}

/** How far the eviction is. */
export interface EvictionStatus {
  /** What is the case with the eviction. */
  readonly conditions?: readonly Condition[];
  /** The instances of which more is known than that they wait: those that move, and those that failed. */
  readonly instances?: readonly EvictionInstance[];
  /** The id of the hypervisor in Nova, whatever the name of the field says. */
  readonly hypervisorServiceId?: string;
  /** The ids of the instances that are still to move; the last one is next. */
  readonly outstandingInstances?: readonly string[];
  /** The memory of the instances that are still to move, in MiB. */
  readonly outstandingRamMb?: number;
  /** How far it is, in numbers. */
  readonly progress?: EvictionProgress;
}

/** How the move of one instance stands. */
export interface EvictionInstance {
  /** How many times a move was begun. */
  readonly attempts: number;
  /** The id of the instance. */
  readonly id: string;
  /** What happened last, and what to do about it. */
  readonly message?: string;
  /** The id of the last move that was over when the present one was asked for. */
  readonly move?: string;
  /** The name of the instance. */
  readonly name?: string;
  /** Since when it is in this state. */
  readonly since?: string;
  /** Whether it waits for its turn, moves, has its cold move confirmed, has a move stopped that took too long, or stays. */
  readonly state: 'Waiting' | 'Moving' | 'Confirming' | 'Aborting' | 'Failed' | 'NonMigratable';
}

/** How far the eviction is, in numbers. */
export interface EvictionProgress {
  /** How many could not be moved, and are not tried again by themselves. */
  readonly failed: number;
  /** How many are still on the host, those that move or failed included. */
  readonly left: number;
  /** How fast memory and disks are being sent, all moves together. */
  readonly mibPerSecond?: number;
  /** How many have left, by a move or otherwise. */
  readonly moved: number;
  /** How many are on their way. */
  readonly moving: number;
  /** How long the rest will take at the present speed. */
  readonly secondsLeft?: number;
  /** How many there were, those that came later included. */
  readonly total: number;
}

/** A live migration, as the hosts see it. It has the id of its instance as its name. */
export interface Migration {
  readonly apiVersion: 'kvm.cloud.sap/v1alpha1';
  readonly kind: 'Migration';
  readonly metadata: ObjectMeta;
  /** Nothing is wanted: a migration is only watched. */
  readonly spec: MigrationSpec;
  /** How far a live migration is. Amounts and rates are texts for people. */
  readonly status?: MigrationStatus;
}

/** Nothing is wanted: a migration is only watched. */
export type MigrationSpec = Readonly<Record<string, never>>;

/** How far a live migration is. Amounts and rates are texts for people. */
export interface MigrationStatus {
  /** By how much the guest is slowed down so that the migration can end. */
  readonly autoConvergeThrottle?: string;
  /** How much has been sent. */
  readonly dataProcessed?: string;
  /** How much is still to be sent. */
  readonly dataRemaining?: string;
  /** How much there is to send. */
  readonly dataTotal?: string;
  /** The host it moves to. */
  readonly destination?: string;
  /** How fast disks are sent. */
  readonly diskBps?: string;
  /** How much of the disks has been sent. */
  readonly diskProcessed?: string;
  /** How much of the disks is still to be sent. */
  readonly diskRemaining?: string;
  /** How much there is to send of the disks. */
  readonly diskTotal?: string;
  /** How long the guest stood still, or is expected to. */
  readonly downtime?: string;
  /** Why it failed. */
  readonly errMsg?: string;
  /** How fast memory is sent. */
  readonly memBps?: string;
  /** How many pages were sent as one repeated byte. */
  readonly memConstant?: number;
  /** How fast the guest changes memory that was sent already. */
  readonly memDirtyRate?: string;
  /** How many times memory has been gone through. */
  readonly memIteration?: number;
  /** How many pages were sent in full. */
  readonly memNormal?: number;
  /** How much was sent in full pages. */
  readonly memNormalBytes?: string;
  /** The size of a page. */
  readonly memPageSize?: string;
  /** How many pages the destination had to ask for. */
  readonly memPostcopyRequests?: number;
  /** How much of the memory has been sent. */
  readonly memProcessed?: string;
  /** How much of the memory is still to be sent. */
  readonly memRemaining?: string;
  /** How much there is to send of the memory. */
  readonly memTotal?: string;
  /** What libvirt does, such as `migration_in` or `migration_out`. */
  readonly operation?: string;
  /** The host it moves from. */
  readonly origin?: string;
  /** How long it took to get ready. */
  readonly setupTime?: string;
  /** When it began. */
  readonly started: string;
  /** How long it has been going on. */
  readonly timeElapsed?: string;
  /** How long it is expected to go on. */
  readonly timeRemaining?: string;
  /** The state of the job in libvirt, such as `completed`. */
  readonly type?: string;
}
