// Written by 'npm run generate' from domain/vm-api/kinds. Change the declarations there instead.

import type { ObjectMeta } from '@smalt/kubernetes';

/** A virtual machine that runs, has run, or is about to. */
export interface VirtualMachineInstance {
  readonly apiVersion: 'kubevirt.io/v1' | 'kubevirt.io/v1alpha3';
  readonly kind: 'VirtualMachineInstance';
  readonly metadata: ObjectMeta;
  /** The virtual machine that is wanted. */
  readonly spec: VirtualMachineInstanceSpec;
  /** What is known of an instance. */
  readonly status?: VirtualMachineInstanceStatus;
}

/** The virtual machine that is wanted. */
export interface VirtualMachineInstanceSpec {
  /** Credentials that are put into the guest. */
  readonly accessCredentials?: readonly AccessCredential[];
  /** Where it may and should be placed. */
  readonly affinity?: Affinity;
  /** `amd64`, `arm64` or `s390x`. */
  readonly architecture?: string;
  /** How names are resolved. */
  readonly dnsConfig?: PodDNSConfig;
  /** Where the rest of the name resolution comes from, such as `ClusterFirst`. */
  readonly dnsPolicy?: string;
  /** The machine that the guest sees. */
  readonly domain: DomainSpec;
  /** What a drain of its node does: `None`, `LiveMigrate`, `LiveMigrateIfPossible` or `External`. */
  readonly evictionStrategy?: string;
  /** The name of the guest; that of the object when not set. */
  readonly hostname?: string;
  /** The driver that runs it: `qemu-kvm`, `qemu`, `cloud-hypervisor`, `lxc` or `test`. */
  readonly hypervisor?: string;
  /** Stops the guest when it fails. */
  readonly livenessProbe?: Probe;
  /** The networks that interfaces are connected to. */
  readonly networks?: readonly Network[];
  /** Labels that its node must have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Its priority class. */
  readonly priorityClassName?: string;
  /** The guest gets traffic while it succeeds. */
  readonly readinessProbe?: Probe;
  /** Resource claims that devices are taken from. */
  readonly resourceClaims?: readonly VirtualMachineInstanceResourceClaim[];
  /** The scheduler that places it. */
  readonly schedulerName?: string;
  /** The service account of its launcher. */
  readonly serviceAccountName?: string;
  /** `Paused`: it is started but does not run yet. */
  readonly startStrategy?: string;
  /** The subdomain of its name. */
  readonly subdomain?: string;
  /** How long the guest may take to shut down; 30 when not set, 0 stops it at once. */
  readonly terminationGracePeriodSeconds?: number;
  /** Taints of nodes that do not keep it away. */
  readonly tolerations?: readonly Toleration[];
  /** How evenly such virtual machines are spread. */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  /** Volumes for the launcher, not for the guest. */
  readonly utilityVolumes?: readonly UtilityVolume[];
  /** The volumes it uses. */
  readonly volumes?: readonly Volume[];
}

/** Credentials that are put into the guest; exactly one is set. */
export interface AccessCredential {
  /** Keys that let people in by SSH. */
  readonly sshPublicKey?: SSHPublicKeyAccessCredential;
  /** Passwords of users of the guest. */
  readonly userPassword?: UserPasswordAccessCredential;
}

/** Keys that let people in by SSH. */
export interface SSHPublicKeyAccessCredential {
  /** How they get into the guest. */
  readonly propagationMethod: SSHPublicKeyAccessCredentialPropagationMethod;
  /** Where they come from. */
  readonly source: SSHPublicKeyAccessCredentialSource;
}

/** How keys get into the guest; exactly one is set. */
export interface SSHPublicKeyAccessCredentialPropagationMethod {
  /** Through the config drive of cloud-init. */
  readonly configDrive?: ConfigDriveSSHPublicKeyAccessCredentialPropagation;
  /** Through the NoCloud disk of cloud-init. */
  readonly noCloud?: NoCloudSSHPublicKeyAccessCredentialPropagation;
  /** Through the guest agent. */
  readonly qemuGuestAgent?: QemuGuestAgentSSHPublicKeyAccessCredentialPropagation;
}

/** Through the config drive of cloud-init. */
export type ConfigDriveSSHPublicKeyAccessCredentialPropagation = Readonly<Record<string, never>>;

/** Through the NoCloud disk of cloud-init. */
export type NoCloudSSHPublicKeyAccessCredentialPropagation = Readonly<Record<string, never>>;

/** Through the guest agent. */
export interface QemuGuestAgentSSHPublicKeyAccessCredentialPropagation {
  /** The users of the guest that get the keys. */
  readonly users: readonly string[];
}

/** Where keys come from. */
export interface SSHPublicKeyAccessCredentialSource {
  /** The Secret that holds them. */
  readonly secret?: AccessCredentialSecretSource;
}

/** A Secret that holds credentials. */
export interface AccessCredentialSecretSource {
  /** The name of the Secret. */
  readonly secretName: string;
}

/** Passwords of users of the guest. */
export interface UserPasswordAccessCredential {
  /** How they get into the guest. */
  readonly propagationMethod: UserPasswordAccessCredentialPropagationMethod;
  /** Where they come from. */
  readonly source: UserPasswordAccessCredentialSource;
}

/** How passwords get into the guest. */
export interface UserPasswordAccessCredentialPropagationMethod {
  /** Through the guest agent. */
  readonly qemuGuestAgent?: QemuGuestAgentUserPasswordAccessCredentialPropagation;
}

/** Through the guest agent. */
export type QemuGuestAgentUserPasswordAccessCredentialPropagation = Readonly<Record<string, never>>;

/** Where passwords come from. */
export interface UserPasswordAccessCredentialSource {
  /** The Secret that holds them, by user. */
  readonly secret?: AccessCredentialSecretSource;
}

/** Where the virtual machine may and should be placed. */
export interface Affinity {
  /** What the node must and should be. */
  readonly nodeAffinity?: NodeAffinity;
  /** Which pods must and should be near. */
  readonly podAffinity?: PodAffinity;
  /** Which pods must and should not be near. */
  readonly podAntiAffinity?: PodAntiAffinity;
}

/** What the node must and should be. */
export interface NodeAffinity {
  /** Wishes about the node. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
  /** What the node must be. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
}

/** A wish about the node, with its weight. */
export interface PreferredSchedulingTerm {
  /** What the node should be. */
  readonly preference: NodeSelectorTerm;
  /** How much it counts, from 1 to 100. */
  readonly weight: number;
}

/** Requirements that must all hold for a node. */
export interface NodeSelectorTerm {
  /** What labels of the node must be. */
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  /** What fields of the node must be. */
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

/** What one label or field of a node must be. */
export interface NodeSelectorRequirement {
  /** The label or field. */
  readonly key: string;
  /** `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`. */
  readonly operator: string;
  /** The values to compare with; empty for `Exists` and `DoesNotExist`. */
  readonly values?: readonly string[];
}

/** Chooses nodes; one of the terms must hold. */
export interface NodeSelector {
  /** The terms, of which one must hold. */
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** Which pods must and should be near. */
export interface PodAffinity {
  /** Pods that should be near. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
  /** Pods that must be near. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
}

/** A wish about pods near by, with its weight. */
export interface WeightedPodAffinityTerm {
  /** The pods it is about. */
  readonly podAffinityTerm: PodAffinityTerm;
  /** How much it counts, from 1 to 100. */
  readonly weight: number;
}

/** Chooses pods to be near to or far from. */
export interface PodAffinityTerm {
  /** Chooses the pods by their labels. */
  readonly labelSelector?: LabelSelector;
  /** Labels whose value must be that of the pod that is placed. */
  readonly matchLabelKeys?: readonly string[];
  /** Labels whose value must not be that of the pod that is placed. */
  readonly mismatchLabelKeys?: readonly string[];
  /** Chooses the namespaces of the pods by their labels. */
  readonly namespaceSelector?: LabelSelector;
  /** The namespaces of the pods; its own when neither this nor the selector is set. */
  readonly namespaces?: readonly string[];
  /** The label of nodes that says what near means: nodes with the same value are near. */
  readonly topologyKey: string;
}

/** Chooses objects by their labels; all requirements must hold. */
export interface LabelSelector {
  /** What labels must be. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
  /** Labels with the exact values they must have. */
  readonly matchLabels?: Readonly<Record<string, string>>;
}

/** What one label must be. */
export interface LabelSelectorRequirement {
  /** The label. */
  readonly key: string;
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string;
  /** The values for `In` and `NotIn`; empty for the others. */
  readonly values?: readonly string[];
}

/** Which pods must and should not be near. */
export interface PodAntiAffinity {
  /** Pods that should not be near. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
  /** Pods that must not be near. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
}

/** How names are resolved. */
export interface PodDNSConfig {
  /** The addresses of name servers. */
  readonly nameservers?: readonly string[];
  /** Options of the resolver. */
  readonly options?: readonly PodDNSConfigOption[];
  /** Domains that are tried for short names. */
  readonly searches?: readonly string[];
}

/** An option of the resolver. */
export interface PodDNSConfigOption {
  /** The name of the option. */
  readonly name?: string;
  /** The value of the option. */
  readonly value?: string;
}

/** The machine that the guest sees. */
export interface DomainSpec {
  /** Its case. */
  readonly chassis?: Chassis;
  /** Its clock. */
  readonly clock?: Clock;
  /** Its processors. */
  readonly cpu?: CPU;
  /** Its devices. */
  readonly devices: Devices;
  /** Its features. */
  readonly features?: Features;
  /** What starts it. */
  readonly firmware?: Firmware;
  /** The threads that serve disks. */
  readonly ioThreads?: DiskIOThreads;
  /** How disks share threads: `shared`, `auto` or `supplementalPool`. */
  readonly ioThreadsPolicy?: string;
  /** How the guest is shielded from its host. */
  readonly launchSecurity?: LaunchSecurity;
  /** Its type. */
  readonly machine?: Machine;
  /** Its memory. */
  readonly memory?: Memory;
  /** What a reboot of the guest does: start again, or end the instance. */
  readonly rebootPolicy?: 'Reboot' | 'Terminate';
  /** What it asks of its node. */
  readonly resources?: ResourceRequirements;
}

/** The case of the machine that the guest sees. */
export interface Chassis {
  /** The asset tag. */
  readonly asset?: string;
  /** Who made it. */
  readonly manufacturer?: string;
  /** The serial number. */
  readonly serial?: string;
  /** The article number. */
  readonly sku?: string;
  /** The version. */
  readonly version?: string;
}

/** The clock of the guest. */
export interface Clock {
  /** The timers of the guest. */
  readonly timer?: Timer;
  /** The clock starts at the time of this zone, such as `Europe/Berlin`. */
  readonly timezone?: string;
  /** The clock starts at UTC. */
  readonly utc?: ClockOffsetUTC;
}

/** The timers of the guest. */
export interface Timer {
  /** The high precision event timer. */
  readonly hpet?: HPETTimer;
  /** The reference clock of Hyper-V. */
  readonly hyperv?: HypervTimer;
  /** The clock of KVM. */
  readonly kvm?: KVMTimer;
  /** The programmable interval timer. */
  readonly pit?: PITTimer;
  /** The real-time clock. */
  readonly rtc?: RTCTimer;
}

/** The high precision event timer. */
export interface HPETTimer {
  /** Whether the guest has it; true when not set. */
  readonly present?: boolean;
  /** What to do about missed ticks: `delay`, `catchup`, `merge` or `discard`. */
  readonly tickPolicy?: string;
}

/** The reference clock of Hyper-V. */
export interface HypervTimer {
  /** Whether the guest has it; true when not set. */
  readonly present?: boolean;
}

/** The clock of KVM. */
export interface KVMTimer {
  /** Whether the guest has it; true when not set. */
  readonly present?: boolean;
}

/** The programmable interval timer. */
export interface PITTimer {
  /** Whether the guest has it; true when not set. */
  readonly present?: boolean;
  /** What to do about missed ticks: `delay`, `catchup` or `discard`. */
  readonly tickPolicy?: string;
}

/** The real-time clock. */
export interface RTCTimer {
  /** Whether the guest has it; true when not set. */
  readonly present?: boolean;
  /** What to do about missed ticks: `delay` or `catchup`. */
  readonly tickPolicy?: string;
  /** What it follows: `guest` or `wall`. */
  readonly track?: string;
}

/** The clock of the guest starts at UTC. */
export interface ClockOffsetUTC {
  /** By how much it differs, in seconds. */
  readonly offsetSeconds?: number;
}

/** The processors of the guest. */
export interface CPU {
  /** Cores per socket. */
  readonly cores?: number;
  /** Give each processor of the guest one of the host to itself. */
  readonly dedicatedCpuPlacement?: boolean;
  /** Features of the processor to have or not to have. */
  readonly features?: readonly CPUFeature[];
  /** Give the emulator a processor of its own; needs dedicated placement. */
  readonly isolateEmulatorThread?: boolean;
  /** The sockets that can be plugged in at most. */
  readonly maxSockets?: number;
  /** A model by name, `host-model` or `host-passthrough`. */
  readonly model?: string;
  /** The NUMA cells of the guest. */
  readonly numa?: NUMA;
  /** Which processors have real-time scheduling. */
  readonly realtime?: Realtime;
  /** Sockets. */
  readonly sockets?: number;
  /** Threads per core. */
  readonly threads?: number;
}

/** A feature of the processor. */
export interface CPUFeature {
  /** The name of the feature. */
  readonly name: string;
  /** `require` (also when empty), `force`, `optional`, `disable` or `forbid`. */
  readonly policy?: string;
}

/** The NUMA cells of the guest. */
export interface NUMA {
  /** The guest sees the NUMA cells that its processors are on. */
  readonly guestMappingPassthrough?: NUMAGuestMappingPassthrough;
}

/** The guest sees the NUMA cells that its processors are on. */
export type NUMAGuestMappingPassthrough = Readonly<Record<string, never>>;

/** Processors with real-time scheduling. */
export interface Realtime {
  /** Which ones; all when not set. */
  readonly mask?: string;
}

/** The devices of the guest. */
export interface Devices {
  /** Give it a graphics card and a VNC display; true when not set. */
  readonly autoattachGraphicsDevice?: boolean;
  /** Give it a tablet. */
  readonly autoattachInputDevice?: boolean;
  /** Give it a memory balloon; true when not set. */
  readonly autoattachMemBalloon?: boolean;
  /** Connect it to the network of the cluster when it has no interfaces; true when not set. */
  readonly autoattachPodInterface?: boolean;
  /** Give it a serial console; true when not set. */
  readonly autoattachSerialConsole?: boolean;
  /** Give it a socket to its host. */
  readonly autoattachVSOCK?: boolean;
  /** Give disks one queue per processor. */
  readonly blockMultiQueue?: boolean;
  /** USB devices of the person at the console can be used. */
  readonly clientPassthrough?: ClientPassthroughDevices;
  /** Nothing can be plugged in while it runs. */
  readonly disableHotplug?: boolean;
  /** The disks. */
  readonly disks?: readonly Disk[];
  /** Let the guest read metrics of its host. */
  readonly downwardMetrics?: DownwardMetrics;
  /** Directories that are shared with it. */
  readonly filesystems?: readonly Filesystem[];
  /** GPUs that are handed to it. */
  readonly gpus?: readonly GPU[];
  /** Devices of the host that are handed to it. */
  readonly hostDevices?: readonly HostDevice[];
  /** Input devices. */
  readonly inputs?: readonly Input[];
  /** The network cards. */
  readonly interfaces?: readonly Interface[];
  /** Write what it prints on the serial console to the log. */
  readonly logSerialConsole?: boolean;
  /** Give network cards one queue per processor. */
  readonly networkInterfaceMultiqueue?: boolean;
  /** Devices by which it says that it has crashed. */
  readonly panicDevices?: readonly PanicDevice[];
  /** A source of random numbers. */
  readonly rng?: Rng;
  /** A sound card. */
  readonly sound?: SoundDevice;
  /** A trusted platform module. */
  readonly tpm?: TPMDevice;
  /** Use the older virtio, for guests that know no other. */
  readonly useVirtioTransitional?: boolean;
  /** A graphics card. */
  readonly video?: VideoDevice;
  /** A device that acts when it hangs. */
  readonly watchdog?: Watchdog;
}

/** USB devices of the person at the console can be used. */
export type ClientPassthroughDevices = Readonly<Record<string, never>>;

/** A disk of the guest: how it sees the volume of the same name. */
export interface Disk {
  /** The block size. */
  readonly blockSize?: BlockSize;
  /** Its place in the boot order, from 1; lower ones are tried first. */
  readonly bootOrder?: number;
  /** `none`, `writethrough` or `writeback`. */
  readonly cache?: string;
  /** The guest sees a CD drive. */
  readonly cdrom?: CDRomTarget;
  /** Keep track of changed blocks, for backups. */
  readonly changedBlockTracking?: boolean;
  /** Give it a thread of its own. */
  readonly dedicatedIOThread?: boolean;
  /** The guest sees a disk; so too when nothing is set. */
  readonly disk?: DiskTarget;
  /** What happens on an error: `stop`, `ignore`, `report` or `enospace`. */
  readonly errorPolicy?: string;
  /** `native` or `threads`. */
  readonly io?: string;
  /** The guest sees a LUN. */
  readonly lun?: LunTarget;
  /** The name of the volume. */
  readonly name: string;
  /** The serial number that the guest sees. */
  readonly serial?: string;
  /** Several virtual machines may write to it. */
  readonly shareable?: boolean;
  /** A tag that the guest finds in its metadata. */
  readonly tag?: string;
}

/** The block size of a disk. */
export interface BlockSize {
  /** Sizes of your own. */
  readonly custom?: CustomBlockSize;
  /** The size of the volume behind it. */
  readonly matchVolume?: FeatureState;
}

/** The block sizes of a disk. */
export interface CustomBlockSize {
  /** The least that can be discarded, in bytes. */
  readonly discardGranularity?: number;
  /** The block size that the guest uses, in bytes. */
  readonly logical?: number;
  /** The block size that the disk claims to have, in bytes. */
  readonly physical?: number;
}

/** A feature that can be on or off. */
export interface FeatureState {
  /** Whether it is on; true when not set. */
  readonly enabled?: boolean;
}

/** The guest sees a CD drive. */
export interface CDRomTarget {
  /** `sata`, `scsi` or `virtio`. */
  readonly bus?: string;
  /** Whether it can only be read; true when not set. */
  readonly readonly?: boolean;
  /** `open` or `closed`; closed when not set. */
  readonly tray?: string;
}

/** The guest sees a disk. */
export interface DiskTarget {
  /** `virtio`, `sata`, `scsi` or `usb`. */
  readonly bus?: string;
  /** Its place on the PCI bus, such as `0000:81:01.10`. */
  readonly pciAddress?: string;
  /** Whether it can only be read. */
  readonly readonly?: boolean;
}

/** The guest sees a LUN, to which it can send SCSI commands. */
export interface LunTarget {
  /** `scsi`, `sata` or `virtio`. */
  readonly bus?: string;
  /** Whether it can only be read. */
  readonly readonly?: boolean;
  /** Allow persistent reservations. */
  readonly reservation?: boolean;
}

/** A device through which the guest reads metrics of its host. */
export type DownwardMetrics = Readonly<Record<string, never>>;

/** A directory that is shared with the guest. */
export interface Filesystem {
  /** The name of the volume. */
  readonly name: string;
  /** Shared by virtiofs. */
  readonly virtiofs: FilesystemVirtiofs;
}

/** Shared by virtiofs. */
export type FilesystemVirtiofs = Readonly<Record<string, never>>;

/** A GPU that is handed to the guest. */
export interface GPU {
  /** The resource claim that the GPU is taken from. */
  readonly claimName?: string;
  /** The name that the node offers it by, such as `nvidia.com/TU104GL_Tesla_T4`. */
  readonly deviceName?: string;
  /** Its name in this list. */
  readonly name: string;
  /** The request in the resource claim. */
  readonly requestName?: string;
  /** A tag that the guest finds in its metadata. */
  readonly tag?: string;
  /** Options of a virtual GPU. */
  readonly virtualGPUOptions?: VGPUOptions;
}

/** Options of a virtual GPU. */
export interface VGPUOptions {
  /** Its display. */
  readonly display?: VGPUDisplayOptions;
}

/** The display of a virtual GPU. */
export interface VGPUDisplayOptions {
  /** Whether it has a display; true when not set. */
  readonly enabled?: boolean;
  /** Show what is drawn before the driver is loaded. */
  readonly ramFB?: FeatureState;
}

/** A device of the host that is handed to the guest. */
export interface HostDevice {
  /** The resource claim that the device is taken from. */
  readonly claimName?: string;
  /** The name that the node offers it by. */
  readonly deviceName?: string;
  /** Its name in this list. */
  readonly name: string;
  /** The request in the resource claim. */
  readonly requestName?: string;
  /** A tag that the guest finds in its metadata. */
  readonly tag?: string;
}

/** An input device. */
export interface Input {
  /** `usb` or `virtio`. */
  readonly bus?: string;
  /** Its name in this list. */
  readonly name: string;
  /** `tablet`. */
  readonly type: string;
}

/** A network card of the guest: how it is connected to the network of the same name. */
export interface Interface {
  /** The number that gives the card a stable name in the guest. */
  readonly acpiIndex?: number;
  /** Connected by a plugin. */
  readonly binding?: PluginBinding;
  /** Its place in the boot order, from 1; lower ones are tried first. */
  readonly bootOrder?: number;
  /** Connected by a bridge. */
  readonly bridge?: InterfaceBridge;
  /** What the guest is told by DHCP. */
  readonly dhcpOptions?: DHCPOptions;
  /** Its hardware address. */
  readonly macAddress?: string;
  /** No longer supported. */
  readonly macvtap?: DeprecatedInterfaceMacvtap;
  /** Connected by address translation. */
  readonly masquerade?: InterfaceMasquerade;
  /** `virtio` (also when not set), `e1000`, `e1000e`, `igb`, `ne2k_pci`, `pcnet` or `rtl8139`. */
  readonly model?: string;
  /** The name of the network. */
  readonly name: string;
  /** No longer supported. */
  readonly passt?: DeprecatedInterfacePasst;
  /** Connected by passt. */
  readonly passtBinding?: InterfacePasstBinding;
  /** Its place on the PCI bus, such as `0000:81:01.10`. */
  readonly pciAddress?: string;
  /** Ranges of ports that are let in. */
  readonly portRanges?: readonly PortRange[];
  /** Ports that are let in; all when none is set. */
  readonly ports?: readonly Port[];
  /** No longer supported. */
  readonly slirp?: DeprecatedInterfaceSlirp;
  /** Connected by a virtual function of a network card. */
  readonly sriov?: InterfaceSRIOV;
  /** `up` (also when not set), `down`, or `absent` to unplug it. */
  readonly state?: string;
  /** A tag that the guest finds in its metadata. */
  readonly tag?: string;
}

/** A binding of a plugin. */
export interface PluginBinding {
  /** The name that the plugin was registered by. */
  readonly name: string;
}

/** A bridge to the network. */
export type InterfaceBridge = Readonly<Record<string, never>>;

/** What the guest is told by DHCP. */
export interface DHCPOptions {
  /** The file to boot. */
  readonly bootFileName?: string;
  /** The addresses of time servers. */
  readonly ntpServers?: readonly string[];
  /** Options for private use. */
  readonly privateOptions?: readonly DHCPPrivateOptions[];
  /** The server of the file to boot. */
  readonly tftpServerName?: string;
}

/** An option of DHCP for private use. */
export interface DHCPPrivateOptions {
  /** The number of the option, from 224 to 254. */
  readonly option: number;
  /** The value of the option. */
  readonly value: string;
}

/** No longer supported; a plugin took its place. */
export type DeprecatedInterfaceMacvtap = Readonly<Record<string, never>>;

/** A private network with address translation. */
export type InterfaceMasquerade = Readonly<Record<string, never>>;

/** No longer supported; a plugin took its place. */
export type DeprecatedInterfacePasst = Readonly<Record<string, never>>;

/** User mode networking by passt. */
export type InterfacePasstBinding = Readonly<Record<string, never>>;

/** Ports that are let in. */
export interface PortRange {
  /** The last port. */
  readonly end: number;
  /** `TCP` or `UDP`. */
  readonly protocol: string;
  /** The first port. */
  readonly start: number;
}

/** A port that is let in. */
export interface Port {
  /** The name of the port. */
  readonly name?: string;
  /** The number of the port. */
  readonly port: number;
  /** `TCP` or `UDP`; TCP when not set. */
  readonly protocol?: string;
}

/** No longer supported; a plugin took its place. */
export type DeprecatedInterfaceSlirp = Readonly<Record<string, never>>;

/** A virtual function of a network card. */
export type InterfaceSRIOV = Readonly<Record<string, never>>;

/** A device by which the guest says that it has crashed. */
export interface PanicDevice {
  /** `hyperv`, `isa` or `pvpanic`. */
  readonly model?: string;
}

/** A source of random numbers. */
export type Rng = Readonly<Record<string, never>>;

/** A sound card. */
export interface SoundDevice {
  /** `ich9` or `ac97`. */
  readonly model?: string;
  /** Its name. */
  readonly name: string;
}

/** A trusted platform module. */
export interface TPMDevice {
  /** Whether the guest has it; true when not set. */
  readonly enabled?: boolean;
  /** Keep its state when the virtual machine is stopped. */
  readonly persistent?: boolean;
}

/** A graphics card. */
export interface VideoDevice {
  /** `virtio`, `vga`, `bochs`, `ramfb` or `none`. */
  readonly type?: string;
}

/** A device that acts when the guest hangs. */
export interface Watchdog {
  /** The watchdog of s390x. */
  readonly diag288?: Diag288Watchdog;
  /** A watchdog on the PCI bus. */
  readonly i6300esb?: I6300ESBWatchdog;
  /** Its name. */
  readonly name: string;
}

/** The watchdog of s390x. */
export interface Diag288Watchdog {
  /** What happens when it fires: `poweroff`, `reset` or `shutdown`. */
  readonly action?: string;
}

/** A watchdog on the PCI bus. */
export interface I6300ESBWatchdog {
  /** What happens when it fires: `poweroff`, `reset` or `shutdown`. */
  readonly action?: string;
}

/** Features of the guest's machine. */
export interface Features {
  /** Power management. */
  readonly acpi?: FeatureState;
  /** The interrupt controller. */
  readonly apic?: FeatureAPIC;
  /** Features of Hyper-V, for Windows guests. */
  readonly hyperv?: FeatureHyperv;
  /** All features of Hyper-V that the host has. */
  readonly hypervPassthrough?: HyperVPassthrough;
  /** Features of KVM. */
  readonly kvm?: FeatureKVM;
  /** Locks that tell the hypervisor when they wait. */
  readonly pvspinlock?: FeatureState;
  /** System management mode, which secure boot needs. */
  readonly smm?: FeatureState;
}

/** The interrupt controller. */
export interface FeatureAPIC {
  /** Whether it is on; true when not set. */
  readonly enabled?: boolean;
  /** Whether the end of an interrupt is signalled without an exit. */
  readonly endOfInterrupt?: boolean;
}

/** Features of Hyper-V, for Windows guests. */
export interface FeatureHyperv {
  /** Fast nested virtualization. */
  readonly evmcs?: FeatureState;
  /** The guest can read the frequencies of its clocks. */
  readonly frequencies?: FeatureState;
  /** Interrupts between processors through the hypervisor. */
  readonly ipi?: FeatureState;
  /** The guest is told when its clock changes frequency. */
  readonly reenlightenment?: FeatureState;
  /** The guest does not stop when it was not given time for long. */
  readonly relaxed?: FeatureState;
  /** The guest can be reset. */
  readonly reset?: FeatureState;
  /** The guest can read how long a processor has run. */
  readonly runtime?: FeatureState;
  /** How often a lock is tried before the hypervisor is told. */
  readonly spinlocks?: FeatureSpinlocks;
  /** The synthetic interrupt controller. */
  readonly synic?: FeatureState;
  /** The timers of the synthetic interrupt controller. */
  readonly synictimer?: SyNICTimer;
  /** Flushes of address caches through the hypervisor. */
  readonly tlbflush?: TLBFlush;
  /** Fast access to the interrupt controller. */
  readonly vapic?: FeatureState;
  /** The vendor that the guest sees. */
  readonly vendorid?: FeatureVendorID;
  /** A processor can tell its own number. */
  readonly vpindex?: FeatureState;
}

/** How often a lock is tried before the hypervisor is told. */
export interface FeatureSpinlocks {
  /** Whether it is on; true when not set. */
  readonly enabled?: boolean;
  /** The number of tries; 4096 when not set. */
  readonly spinlocks?: number;
}

/** The timers of the synthetic interrupt controller. */
export interface SyNICTimer {
  /** Deliver its interrupts without messages. */
  readonly direct?: FeatureState;
  /** Whether it is on; true when not set. */
  readonly enabled?: boolean;
}

/** Flushes of address caches through the hypervisor. */
export interface TLBFlush {
  /** For nested guests too. */
  readonly direct?: FeatureState;
  /** Whether it is on; true when not set. */
  readonly enabled?: boolean;
  /** For single addresses. */
  readonly extended?: FeatureState;
}

/** The vendor that the guest sees. */
export interface FeatureVendorID {
  /** Whether it is on; true when not set. */
  readonly enabled?: boolean;
  /** The name, of 12 characters at most. */
  readonly vendorid?: string;
}

/** All features of Hyper-V that the host has. */
export interface HyperVPassthrough {
  /** Whether it is on. */
  readonly enabled?: boolean;
}

/** Features of KVM. */
export interface FeatureKVM {
  /** Hide from the guest that it runs on KVM. */
  readonly hidden?: boolean;
}

/** What starts the guest. */
export interface Firmware {
  /** Tables that the firmware hands to the guest. */
  readonly acpi?: ACPI;
  /** What boots the guest. */
  readonly bootloader?: Bootloader;
  /** Boot a kernel without a boot loader. */
  readonly kernelBoot?: KernelBoot;
  /** The serial number of the machine that the guest sees. */
  readonly serial?: string;
  /** The id of the machine that the guest sees; one is made up when not set. */
  readonly uuid?: string;
}

/** Tables that the firmware hands to the guest. */
export interface ACPI {
  /** The Secret volume that holds the licence table of Windows. */
  readonly msdmNameRef?: string;
  /** The Secret volume that holds the licence table of older Windows. */
  readonly slicNameRef?: string;
}

/** What boots the guest. */
export interface Bootloader {
  /** The classic firmware. */
  readonly bios?: BIOS;
  /** The UEFI firmware. */
  readonly efi?: EFI;
}

/** The classic firmware. */
export interface BIOS {
  /** Show what it prints on the serial console. */
  readonly useSerial?: boolean;
}

/** The UEFI firmware. */
export interface EFI {
  /** Keep its variables when the virtual machine is stopped. */
  readonly persistent?: boolean;
  /** Boot only what is signed; true when not set. */
  readonly secureBoot?: boolean;
}

/** Boot a kernel without a boot loader. */
export interface KernelBoot {
  /** The image that holds the kernel. */
  readonly container?: KernelBootContainer;
  /** What the kernel is started with. */
  readonly kernelArgs?: string;
}

/** A container image that holds a kernel. */
export interface KernelBootContainer {
  /** The image. */
  readonly image: string;
  /** When the image is pulled: `Always`, `IfNotPresent` or `Never`. */
  readonly imagePullPolicy?: string;
  /** The Secret that is needed to pull it. */
  readonly imagePullSecret?: string;
  /** The path of the initial RAM disk in the image. */
  readonly initrdPath?: string;
  /** The path of the kernel in the image. */
  readonly kernelPath?: string;
}

/** The threads that serve disks. */
export interface DiskIOThreads {
  /** How many there are in the supplemental pool. */
  readonly supplementalPoolThreadCount?: number;
}

/** How the guest is shielded from its host. */
export interface LaunchSecurity {
  /** By AMD SEV. */
  readonly sev?: SEV;
  /** By AMD SEV-SNP. */
  readonly snp?: SEVSNP;
  /** By Intel TDX. */
  readonly tdx?: TDX;
}

/** Encrypted memory by AMD SEV. */
export interface SEV {
  /** The guest waits until it has been attested. */
  readonly attestation?: SEVAttestation;
  /** The key of the owner, in base64. */
  readonly dhCert?: string;
  /** What is protected. */
  readonly policy?: SEVPolicy;
  /** The session of the owner, in base64. */
  readonly session?: string;
}

/** The guest waits until it has been attested. */
export type SEVAttestation = Readonly<Record<string, never>>;

/** What is protected. */
export interface SEVPolicy {
  /** Encrypt the registers too. */
  readonly encryptedState?: boolean;
}

/** Encrypted and guarded memory by AMD SEV-SNP. */
export type SEVSNP = Readonly<Record<string, never>>;

/** Encrypted and guarded memory by Intel TDX. */
export type TDX = Readonly<Record<string, never>>;

/** The type of the machine that the guest sees. */
export interface Machine {
  /** The type, such as `q35` or `pc-q35-9.2`. */
  readonly type?: string;
}

/** The memory of the guest. */
export interface Memory {
  /** How much the guest sees. */
  readonly guest?: number | string;
  /** Take it in huge pages. */
  readonly hugepages?: Hugepages;
  /** How much can be plugged in at most. */
  readonly maxGuest?: number | string;
  /** Memory to set aside beside that of the guest. */
  readonly reservedOverhead?: ReservedOverhead;
}

/** Memory in huge pages. */
export interface Hugepages {
  /** The size of a page, such as `2Mi` or `1Gi`. */
  readonly pageSize?: string;
}

/** Memory to set aside beside that of the guest. */
export interface ReservedOverhead {
  /** How much to add to what is set aside anyway. */
  readonly addedOverhead?: number | string;
  /** Whether all memory of the process is locked. */
  readonly memLock?: 'NotRequired' | 'Required';
}

/** What the virtual machine asks of its node. */
export interface ResourceRequirements {
  /** The most of each resource. */
  readonly limits?: Readonly<Record<string, number | string>>;
  /** Do not ask for the memory that the emulator itself needs. */
  readonly overcommitGuestOverhead?: boolean;
  /** The least of each resource. */
  readonly requests?: Readonly<Record<string, number | string>>;
}

/** A question that tells whether the guest is well. */
export interface Probe {
  /** Runs a command in the guest, through the guest agent. */
  readonly exec?: ExecAction;
  /** After how many failures in a row it has failed; 3 when not set. */
  readonly failureThreshold?: number;
  /** Asks whether the guest agent answers. */
  readonly guestAgentPing?: GuestAgentPing;
  /** Sends a request. */
  readonly httpGet?: HTTPGetAction;
  /** How long after the start it is first asked. */
  readonly initialDelaySeconds?: number;
  /** How often it is asked; every 10 seconds when not set. */
  readonly periodSeconds?: number;
  /** After how many successes in a row it has succeeded; 1 when not set. */
  readonly successThreshold?: number;
  /** Opens a connection. */
  readonly tcpSocket?: TCPSocketAction;
  /** How long an answer may take; 1 second when not set. */
  readonly timeoutSeconds?: number;
}

/** A command to run in the guest. */
export interface ExecAction {
  /** The program and its arguments; no shell is involved. */
  readonly command?: readonly string[];
}

/** Asks whether the guest agent answers. */
export type GuestAgentPing = Readonly<Record<string, never>>;

/** A request to the guest. */
export interface HTTPGetAction {
  /** The host to ask; the guest when not set. */
  readonly host?: string;
  /** Headers to send. */
  readonly httpHeaders?: readonly HTTPHeader[];
  /** The path to ask for. */
  readonly path?: string;
  /** The port, by number or name. */
  readonly port: number | string;
  /** `HTTP` or `HTTPS`. */
  readonly scheme?: string;
}

/** A header of a request. */
export interface HTTPHeader {
  /** The name of the header. */
  readonly name: string;
  /** The value of the header. */
  readonly value: string;
}

/** A connection to the guest. */
export interface TCPSocketAction {
  /** The host to connect to; the guest when not set. */
  readonly host?: string;
  /** The port, by number or name. */
  readonly port: number | string;
}

/** A network that an interface of the same name is connected to. */
export interface Network {
  /** A network by its attachment definition. */
  readonly multus?: MultusNetwork;
  /** The name of the network in this list. */
  readonly name: string;
  /** The network of the cluster. */
  readonly pod?: PodNetwork;
  /** A network by a resource claim. */
  readonly resourceClaim?: ClaimRequest;
}

/** A network by its attachment definition. */
export interface MultusNetwork {
  /** Take the place of the cluster's network. */
  readonly default?: boolean;
  /** The definition, as `NAME` or `NAMESPACE/NAME`. */
  readonly networkName: string;
}

/** The network of the cluster. */
export interface PodNetwork {
  /** The private IPv6 network of the guest; `fd10:0:2::/120` when not set. */
  readonly vmIPv6NetworkCIDR?: string;
  /** The private network of the guest; `10.0.2.0/24` when not set. */
  readonly vmNetworkCIDR?: string;
}

/** A request in a resource claim. */
export interface ClaimRequest {
  /** The name of the claim in the list of claims. */
  readonly claimName?: string;
  /** The name of the request in the claim. */
  readonly requestName?: string;
}

/** A resource claim that devices are taken from. */
export interface VirtualMachineInstanceResourceClaim {
  /** Its name in this list. */
  readonly name: string;
  /** The name of the claim. */
  readonly resourceClaimName?: string;
  /** The name of the template that a claim is made from. */
  readonly resourceClaimTemplateName?: string;
}

/** A taint of nodes that does not keep the virtual machine away. */
export interface Toleration {
  /** The effect that is tolerated: `NoSchedule`, `PreferNoSchedule` or `NoExecute`; empty for all. */
  readonly effect?: string;
  /** The key of the taint; empty for all. */
  readonly key?: string;
  /** `Equal` or `Exists`. */
  readonly operator?: string;
  /** How long a `NoExecute` taint is tolerated; forever when not set. */
  readonly tolerationSeconds?: number;
  /** The value of the taint. */
  readonly value?: string;
}

/** How evenly virtual machines are spread. */
export interface TopologySpreadConstraint {
  /** Chooses the pods that are counted. */
  readonly labelSelector?: LabelSelector;
  /** Labels whose value must be that of the pod that is placed. */
  readonly matchLabelKeys?: readonly string[];
  /** By how many pods two places may differ. */
  readonly maxSkew: number;
  /** How many places there must be. */
  readonly minDomains?: number;
  /** Whether the node affinity of the pod limits the places: `Honor` or `Ignore`. */
  readonly nodeAffinityPolicy?: string;
  /** Whether taints limit the places: `Honor` or `Ignore`. */
  readonly nodeTaintsPolicy?: string;
  /** The label of nodes that tells places apart. */
  readonly topologyKey: string;
  /** What to do where it cannot be kept: `DoNotSchedule` or `ScheduleAnyway`. */
  readonly whenUnsatisfiable: string;
}

/** A volume for the launcher, not for the guest. */
export interface UtilityVolume {
  /** The name of the claim. */
  readonly claimName: string;
  /** The name of the volume. */
  readonly name: string;
  /** Whether it is only read. */
  readonly readOnly?: boolean;
  /** What it is for. */
  readonly type?: string;
}

/** A volume that the virtual machine uses; exactly one source is set. */
export interface Volume {
  /** Data for cloud-init, as a config drive. */
  readonly cloudInitConfigDrive?: CloudInitConfigDriveSource;
  /** Data for cloud-init, as a NoCloud disk. */
  readonly cloudInitNoCloud?: CloudInitNoCloudSource;
  /** The entries of a ConfigMap as files. */
  readonly configMap?: ConfigMapVolumeSource;
  /** A disk image in a container image. */
  readonly containerDisk?: ContainerDiskSource;
  /** A directory of the launcher. */
  readonly containerPath?: ContainerPathVolumeSource;
  /** A DataVolume in the same namespace. */
  readonly dataVolume?: DataVolumeSource;
  /** Fields of the virtual machine as files. */
  readonly downwardAPI?: DownwardAPIVolumeSource;
  /** A disk from which the guest reads metrics of its host. */
  readonly downwardMetrics?: DownwardMetricsVolumeSource;
  /** An empty disk that lives as long as the guest runs. */
  readonly emptyDisk?: EmptyDiskSource;
  /** A claim that is only read. */
  readonly ephemeral?: EphemeralVolumeSource;
  /** A disk image on the node. */
  readonly hostDisk?: HostDisk;
  /** A claim that takes dumps of the guest's memory. */
  readonly memoryDump?: MemoryDumpVolumeSource;
  /** The name of the volume. */
  readonly name: string;
  /** A claim in the same namespace. */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  /** The entries of a Secret as files. */
  readonly secret?: SecretVolumeSource;
  /** The token of a service account as a file. */
  readonly serviceAccount?: ServiceAccountVolumeSource;
  /** An answer file for the setup of Windows. */
  readonly sysprep?: SysprepSource;
}

/** Data for cloud-init, as a config drive. */
export interface CloudInitConfigDriveSource {
  /** The network data as text. */
  readonly networkData?: string;
  /** The network data in base64. */
  readonly networkDataBase64?: string;
  /** The Secret that holds the network data. */
  readonly networkDataSecretRef?: LocalObjectReference;
  /** The Secret that holds the user data. */
  readonly secretRef?: LocalObjectReference;
  /** The user data as text. */
  readonly userData?: string;
  /** The user data in base64. */
  readonly userDataBase64?: string;
}

/** Names an object in the same namespace. */
export interface LocalObjectReference {
  /** The name of the object. */
  readonly name?: string;
}

/** Data for cloud-init, as a NoCloud disk. */
export interface CloudInitNoCloudSource {
  /** The network data as text. */
  readonly networkData?: string;
  /** The network data in base64. */
  readonly networkDataBase64?: string;
  /** The Secret that holds the network data. */
  readonly networkDataSecretRef?: LocalObjectReference;
  /** The Secret that holds the user data. */
  readonly secretRef?: LocalObjectReference;
  /** The user data as text. */
  readonly userData?: string;
  /** The user data in base64. */
  readonly userDataBase64?: string;
}

/** The entries of a ConfigMap as files. */
export interface ConfigMapVolumeSource {
  /** The name of the ConfigMap. */
  readonly name?: string;
  /** Whether it may be missing. */
  readonly optional?: boolean;
  /** The label of the disk that the guest sees. */
  readonly volumeLabel?: string;
}

/** A disk image in a container image. Changes are lost when the guest stops. */
export interface ContainerDiskSource {
  /** The container image. */
  readonly image: string;
  /** When the image is pulled: `Always`, `IfNotPresent` or `Never`. */
  readonly imagePullPolicy?: string;
  /** The Secret that is needed to pull it. */
  readonly imagePullSecret?: string;
  /** The path of the disk image; the only file under `/disk` when not set. */
  readonly path?: string;
}

/** A directory of the launcher. */
export interface ContainerPathVolumeSource {
  /** The path of the directory. */
  readonly path: string;
  /** Always true. */
  readonly readOnly?: boolean;
}

/** A DataVolume in the same namespace. */
export interface DataVolumeSource {
  /** Whether it can be unplugged while the guest runs. */
  readonly hotpluggable?: boolean;
  /** The name of the DataVolume. */
  readonly name: string;
}

/** Fields of the virtual machine as files. */
export interface DownwardAPIVolumeSource {
  /** The files and what they hold. */
  readonly fields?: readonly DownwardAPIVolumeFile[];
  /** The label of the disk that the guest sees. */
  readonly volumeLabel?: string;
}

/** A file that holds a field of the object. */
export interface DownwardAPIVolumeFile {
  /** The field, such as a label. */
  readonly fieldRef?: ObjectFieldSelector;
  /** The permissions of the file. */
  readonly mode?: number;
  /** The path of the file, relative and without `..`. */
  readonly path: string;
  /** The resource of a container. */
  readonly resourceFieldRef?: ResourceFieldSelector;
}

/** Names a field of the object itself. */
export interface ObjectFieldSelector {
  /** The version the path is written for. */
  readonly apiVersion?: string;
  /** The path of the field. */
  readonly fieldPath: string;
}

/** Names a resource of a container. */
export interface ResourceFieldSelector {
  /** The name of the container. */
  readonly containerName?: string;
  /** What the amount is divided by. */
  readonly divisor?: number | string;
  /** The resource, such as `limits.cpu`. */
  readonly resource: string;
}

/** A disk from which the guest reads metrics of its host. */
export type DownwardMetricsVolumeSource = Readonly<Record<string, never>>;

/** An empty disk that lives as long as the guest runs. */
export interface EmptyDiskSource {
  /** The size of the disk. */
  readonly capacity: number | string;
}

/** A claim that is only read; changes are lost when the guest stops. */
export interface EphemeralVolumeSource {
  /** The claim. */
  readonly persistentVolumeClaim?: CorePersistentVolumeClaimVolumeSource;
}

/** A claim in the same namespace. */
export interface CorePersistentVolumeClaimVolumeSource {
  /** The name of the claim. */
  readonly claimName: string;
  /** Whether it is only read. */
  readonly readOnly?: boolean;
}

/** A disk image on the node. */
export interface HostDisk {
  /** The size of the image that is made. */
  readonly capacity?: number | string;
  /** The path of the image on the node. */
  readonly path: string;
  /** Whether the path leads to the same image on all nodes. */
  readonly shared?: boolean;
  /** `Disk`: it must be there. `DiskOrCreate`: it is made when missing. */
  readonly type: string;
}

/** A claim that takes dumps of the guest's memory. */
export interface MemoryDumpVolumeSource {
  /** The name of the claim. */
  readonly claimName: string;
  /** Whether it can be unplugged while the guest runs. */
  readonly hotpluggable?: boolean;
  /** Whether it is only read. */
  readonly readOnly?: boolean;
}

/** A claim in the same namespace. */
export interface PersistentVolumeClaimVolumeSource {
  /** The name of the claim. */
  readonly claimName: string;
  /** Whether it can be unplugged while the guest runs. */
  readonly hotpluggable?: boolean;
  /** Whether it is only read. */
  readonly readOnly?: boolean;
}

/** The entries of a Secret as files. */
export interface SecretVolumeSource {
  /** Whether it may be missing. */
  readonly optional?: boolean;
  /** The name of the Secret. */
  readonly secretName?: string;
  /** The label of the disk that the guest sees. */
  readonly volumeLabel?: string;
}

/** The token of a service account as a file. */
export interface ServiceAccountVolumeSource {
  /** The name of the service account. */
  readonly serviceAccountName?: string;
}

/** An answer file for the setup of Windows. */
export interface SysprepSource {
  /** The ConfigMap that holds it. */
  readonly configMap?: LocalObjectReference;
  /** The Secret that holds it. */
  readonly secret?: LocalObjectReference;
}

/** What is known of an instance. */
export interface VirtualMachineInstanceStatus {
  /** The address of its socket to the host. */
  readonly VSOCKCID?: number;
  /** The nodes of its launchers, by the id of the pod. */
  readonly activePods?: Readonly<Record<string, string>>;
  /** Whether changed blocks are kept track of. */
  readonly changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /** What is the case with it. */
  readonly conditions?: readonly VirtualMachineInstanceCondition[];
  /** The processors it has. */
  readonly currentCPUTopology?: CPUTopology;
  /** What is known of devices from resource claims. */
  readonly deviceStatus?: DeviceStatus;
  /** The node it has to leave. */
  readonly evacuationNodeName?: string;
  /** Whether its file systems are frozen. */
  readonly fsFreezeStatus?: string;
  /** The operating system, by the guest agent. */
  readonly guestOSInfo?: VirtualMachineInstanceGuestOSInfo;
  /** Its network interfaces. */
  readonly interfaces?: readonly VirtualMachineInstanceNetworkInterface[];
  /** What it was booted with. */
  readonly kernelBootStatus?: KernelBootStatus;
  /** The image of its launcher. */
  readonly launcherContainerImageVersion?: string;
  /** The type of its machine. */
  readonly machine?: Machine;
  /** Its memory. */
  readonly memory?: MemoryStatus;
  /** Volumes that move to other claims. */
  readonly migratedVolumes?: readonly StorageMigratedVolumeInfo[];
  /** `LiveMigration`, or `BlockMigration` when disks are sent too. */
  readonly migrationMethod?: string;
  /** How far its last migration is. */
  readonly migrationState?: VirtualMachineInstanceMigrationState;
  /** How migrations are carried; `Unix`. */
  readonly migrationTransport?: string;
  /** The node it runs on. */
  readonly nodeName?: string;
  /** Where it is in its life. */
  readonly phase?: string;
  /** When each phase began. */
  readonly phaseTransitionTimestamps?: readonly VirtualMachineInstancePhaseTransitionTimestamp[];
  /** The quality of service class of its launcher. */
  readonly qosClass?: string;
  /** Why it is in that phase, as one word. */
  readonly reason?: string;
  /** The user id that its processes run as. */
  readonly runtimeUser?: number;
  /** The SELinux context of its launcher. */
  readonly selinuxContext?: string;
  /** What later hosts must offer. */
  readonly topologyHints?: TopologyHints;
  /** The revision of the virtual machine that it was started from. */
  readonly virtualMachineRevisionName?: string;
  /** Its volumes. */
  readonly volumeStatus?: readonly VolumeStatus[];
}

/** Whether changed blocks are kept track of. */
export interface ChangedBlockTrackingStatus {
  /** How far a backup is. */
  readonly backupStatus?: VirtualMachineInstanceBackupStatus | null;
  /** The state. */
  readonly state: string;
}

/** How far a backup is. */
export interface VirtualMachineInstanceBackupStatus {
  /** What happened, as a sentence. */
  readonly backupMsg?: string;
  /** The name of the backup. */
  readonly backupName?: string;
  /** The checkpoint that the next backup starts from. */
  readonly checkpointName?: string;
  /** Whether it is over. */
  readonly completed?: boolean;
  /** When it was over. */
  readonly endTimestamp?: string;
  /** Whether it failed. */
  readonly failed?: boolean;
  /** Whether file systems were frozen. */
  readonly quiesceStatus?: string;
  /** When it began. */
  readonly startTimestamp?: string;
  /** The volumes in it. */
  readonly volumes?: readonly VirtualMachineInstanceBackupVolumeInfo[];
}

/** A volume in a backup. */
export interface VirtualMachineInstanceBackupVolumeInfo {
  /** Where its data can be read from. Older releases write it. */
  readonly dataEndpoint?: string;
  /** The name by which the guest sees it. Older releases write it. */
  readonly diskTarget?: string;
  /** Where the list of its changed blocks can be read from. Older releases write it. */
  readonly mapEndpoint?: string;
  /** The name of the volume. */
  readonly volumeName: string;
}

/** A fact about the instance. */
export interface VirtualMachineInstanceCondition {
  /** When it was last looked at. */
  readonly lastProbeTime?: string | null;
  /** When the status last changed. */
  readonly lastTransitionTime?: string | null;
  /** What happened, as a sentence. */
  readonly message?: string;
  /** Why the status is what it is, as one word. */
  readonly reason?: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** What the condition is about. */
  readonly type: string;
}

/** Sockets, cores and threads. */
export interface CPUTopology {
  /** Cores per socket. */
  readonly cores?: number;
  /** Sockets. */
  readonly sockets?: number;
  /** Threads per core. */
  readonly threads?: number;
}

/** What is known of devices from resource claims. Older releases write it. */
export interface DeviceStatus {
  /** The GPUs. */
  readonly gpuStatuses?: readonly DeviceStatusInfo[];
  /** The other devices. */
  readonly hostDeviceStatuses?: readonly DeviceStatusInfo[];
}

/** What is known of a device. */
export interface DeviceStatusInfo {
  /** The device that the resource claim gave. */
  readonly deviceResourceClaimStatus?: DeviceResourceClaimStatus;
  /** Its name in the list of devices. */
  readonly name: string;
}

/** The device that a resource claim gave. */
export interface DeviceResourceClaimStatus {
  /** Where it is. */
  readonly attributes?: DeviceAttribute;
  /** Its name on the host. */
  readonly name?: string;
  /** The name of the claim. */
  readonly resourceClaimName?: string;
}

/** Where a device is. */
export interface DeviceAttribute {
  /** The id of the mediated device. */
  readonly mDevUUID?: string;
  /** Its place on the PCI bus of the host. */
  readonly pciAddress?: string;
}

/** The operating system of the guest, by its agent. */
export interface VirtualMachineInstanceGuestOSInfo {
  /** The id, such as `fedora`. */
  readonly id?: string;
  /** The release of the kernel. */
  readonly kernelRelease?: string;
  /** The version of the kernel, with its build. */
  readonly kernelVersion?: string;
  /** The architecture. */
  readonly machine?: string;
  /** The name. */
  readonly name?: string;
  /** Name and version for people. */
  readonly prettyName?: string;
  /** The version for people. */
  readonly version?: string;
  /** The version. */
  readonly versionId?: string;
}

/** What is known of an interface. */
export interface VirtualMachineInstanceNetworkInterface {
  /** Where this is known from: `domain`, `guest-agent`, `multus-status`, or several. */
  readonly infoSource?: string;
  /** Its name in the guest. */
  readonly interfaceName?: string;
  /** Its first address. */
  readonly ipAddress?: string;
  /** All of its addresses. */
  readonly ipAddresses?: readonly string[];
  /** `up` or `down`. */
  readonly linkState?: string;
  /** Its hardware address. */
  readonly mac?: string;
  /** The name of the network. */
  readonly name?: string;
  /** Its name in the launcher. */
  readonly podInterfaceName?: string;
  /** How many queues it has. */
  readonly queueCount?: number;
}

/** What the guest was booted with. */
export interface KernelBootStatus {
  /** The initial RAM disk. */
  readonly initrdInfo?: InitrdInfo;
  /** The kernel. */
  readonly kernelInfo?: KernelInfo;
}

/** What is known of the initial RAM disk. */
export interface InitrdInfo {
  /** Its checksum. */
  readonly checksum?: number;
}

/** What is known of the kernel. */
export interface KernelInfo {
  /** Its checksum. */
  readonly checksum?: number;
}

/** The memory of the guest. */
export interface MemoryStatus {
  /** How much it had at the start. */
  readonly guestAtBoot?: number | string;
  /** How much it has. */
  readonly guestCurrent?: number | string;
  /** How much it is to have. */
  readonly guestRequested?: number | string;
  /** How much was set aside beside it. */
  readonly memoryOverhead?: number | string;
}

/** A volume that moves to another claim. */
export interface StorageMigratedVolumeInfo {
  /** The claim it moves to. */
  readonly destinationPVCInfo?: PersistentVolumeClaimInfo;
  /** The claim it moves from. */
  readonly sourcePVCInfo?: PersistentVolumeClaimInfo;
  /** The name of the volume. */
  readonly volumeName: string;
}

/** What is known of a claim. */
export interface PersistentVolumeClaimInfo {
  /** How the volume is mountable. */
  readonly accessModes?: readonly string[];
  /** How large the volume is. */
  readonly capacity?: Readonly<Record<string, number | string>>;
  /** The name of the claim. */
  readonly claimName?: string;
  /** The share of the space that the file system itself takes. */
  readonly filesystemOverhead?: string;
  /** Whether all space was taken at once. */
  readonly preallocated?: boolean;
  /** What was asked for. */
  readonly requests?: Readonly<Record<string, number | string>>;
  /** `Filesystem` or `Block`. */
  readonly volumeMode?: string;
}

/** How far a migration is. */
export interface VirtualMachineInstanceMigrationState {
  /** Whether it is to be given up. */
  readonly abortRequested?: boolean;
  /** How giving up went: `Aborting`, `Succeeded` or `Failed`. */
  readonly abortStatus?: string;
  /** Whether it is over. */
  readonly completed?: boolean;
  /** When it was over. */
  readonly endTimestamp?: string | null;
  /** Whether it failed. */
  readonly failed?: boolean;
  /** Why it failed. */
  readonly failureReason?: string;
  /** How it is done. */
  readonly migrationConfiguration?: MigrationConfiguration;
  /** The network that is used: `Pod` or `Migration`. */
  readonly migrationNetworkType?: string;
  /** The policy that applies. */
  readonly migrationPolicyName?: string;
  /** The id of the migration object. */
  readonly migrationUid?: string;
  /** `PreCopy`, `PostCopy` or `Paused`. */
  readonly mode?: string;
  /** The node it leaves. */
  readonly sourceNode?: string;
  /** The claim that holds the state of its devices at the source. */
  readonly sourcePersistentStatePVCName?: string;
  /** The launcher it leaves. */
  readonly sourcePod?: string;
  /** The source. */
  readonly sourceState?: VirtualMachineInstanceMigrationSourceState;
  /** When it began. */
  readonly startTimestamp?: string | null;
  /** The id of the pod that holds plugged-in volumes at the target. */
  readonly targetAttachmentPodUID?: string;
  /** The processors of the target that were set aside. */
  readonly targetCPUSet?: readonly number[];
  /** The ports that memory is sent to. */
  readonly targetDirectMigrationNodePorts?: Readonly<Record<string, number>>;
  /** The memory that the target sets aside beside that of the guest. */
  readonly targetMemoryOverhead?: number | string;
  /** The node it goes to. */
  readonly targetNode?: string;
  /** The address of the node it goes to. */
  readonly targetNodeAddress?: string;
  /** Whether the domain is there. */
  readonly targetNodeDomainDetected?: boolean;
  /** When the domain was there. */
  readonly targetNodeDomainReadyTimestamp?: string;
  /** The processors and NUMA cells of the target. */
  readonly targetNodeTopology?: string;
  /** The claim that holds the state of its devices at the target. */
  readonly targetPersistentStatePVCName?: string;
  /** The launcher it goes to. */
  readonly targetPod?: string;
  /** The target. */
  readonly targetState?: VirtualMachineInstanceMigrationTargetState;
}

/** How virtual machines are migrated. */
export interface MigrationConfiguration {
  /** Slow the guest down so that the migration can end. */
  readonly allowAutoConverge?: boolean;
  /** Let the guest run at the target before all memory is there. */
  readonly allowPostCopy?: boolean;
  /** Allow what disturbs the guest, so that the migration can end. */
  readonly allowWorkloadDisruption?: boolean;
  /** The most that one migration may send per second; no limit when 0. */
  readonly bandwidthPerMigration?: number | string;
  /** How many seconds it may take per GiB of memory. */
  readonly completionTimeoutPerGiB?: number;
  /** Send memory without encryption. */
  readonly disableTLS?: boolean;
  /** Options that may change. */
  readonly experimental?: ExperimentalMigrationOptions;
  /** Give the target the SELinux level of the source. */
  readonly matchSELinuxLevelOnMigration?: boolean;
  /** How long the guest may stand still, in milliseconds. */
  readonly maxDowntimeMs?: number;
  /** The network that memory is sent over. */
  readonly network?: string;
  /** The taint that makes virtual machines leave a node. */
  readonly nodeDrainTaintKey?: string;
  /** How many migrations may run at once in the cluster. */
  readonly parallelMigrationsPerCluster?: number;
  /** How many migrations may leave a node at once. */
  readonly parallelOutboundMigrationsPerNode?: number;
  /** After how many seconds without progress it is given up. */
  readonly progressTimeout?: number;
  /** Migrate even where it is not safe. */
  readonly unsafeMigrationOverride?: boolean;
  /** How many seconds to wait until utility volumes are gone. */
  readonly utilityVolumesTimeout?: number;
}

/** Options that may change. */
export interface ExperimentalMigrationOptions {
  /** How memory is packed on its way. */
  readonly compression?: 'none' | 'zstd';
  /** How the allowed downtime grows. */
  readonly downtimeTuning?: DowntimeTuningOptions;
  /** When a migration counts as stalled. */
  readonly stallDetector?: StallDetectorOptions;
}

/** How the allowed downtime grows step by step. */
export interface DowntimeTuningOptions {
  /** How long to wait between steps. */
  readonly cooldownSeconds?: number;
  /** The downtime of the first step, in milliseconds. */
  readonly initialMs?: number;
  /** After which pass over the memory the steps begin. */
  readonly startAfterIteration?: number;
  /** How many steps there are. */
  readonly steps?: number;
}

/** When a migration counts as stalled. */
export interface StallDetectorOptions {
  /** Scales the time in which it must complete. */
  readonly completionTimeoutFactor?: number | string;
  /** How much the latest measurement counts. */
  readonly ewmaAlpha?: number | string;
  /** How fast patience runs out. */
  readonly patienceWindowDecayFactor?: number | string;
  /** How far from the goal pre-copy is still tried. */
  readonly precopyPossibleFactor?: number | string;
  /** Switch over when little is left for a moment. */
  readonly searchLocalMinima?: boolean;
  /** By how many per cent there must be progress. */
  readonly stallMargin?: number;
  /** After how many seconds without progress it has stalled. */
  readonly stallProgressTimeout?: number;
  /** How many seconds the switch may take. */
  readonly switchoverTimeout?: number;
}

/** The source of a migration. */
export interface VirtualMachineInstanceMigrationSourceState {
  /** The name of the domain. */
  readonly domainName?: string;
  /** The namespace of the domain. */
  readonly domainNamespace?: string;
  /** The id of the migration object there. */
  readonly migrationUID?: string;
  /** The node. */
  readonly node?: string;
  /** Labels that the target must have. */
  readonly nodeSelectors?: Readonly<Record<string, string>>;
  /** The claim that holds the state of its devices. */
  readonly persistentStatePVCName?: string;
  /** The launcher. */
  readonly pod?: string;
  /** Its SELinux context. */
  readonly selinuxContext?: string;
  /** The address by which both sides keep in step. */
  readonly syncAddress?: string;
  /** The id of the instance there. */
  readonly virtualMachineInstanceUID?: string;
}

/** The target of a migration. */
export interface VirtualMachineInstanceMigrationTargetState {
  /** The id of the pod that holds plugged-in volumes. */
  readonly attachmentPodUID?: string;
  /** The processors of the host that were set aside. */
  readonly cpuSet?: readonly number[];
  /** The ports that memory is sent to. */
  readonly directMigrationNodePorts?: Readonly<Record<string, number>>;
  /** Whether the domain is there. */
  readonly domainDetected?: boolean;
  /** The name of the domain. */
  readonly domainName?: string;
  /** The namespace of the domain. */
  readonly domainNamespace?: string;
  /** When the domain was there. */
  readonly domainReadyTimestamp?: string;
  /** The id of the migration object there. */
  readonly migrationUID?: string;
  /** The node. */
  readonly node?: string;
  /** The address of the node. */
  readonly nodeAddress?: string;
  /** The processors and NUMA cells of the node. */
  readonly nodeTopology?: string;
  /** The claim that holds the state of its devices. */
  readonly persistentStatePVCName?: string;
  /** The launcher. */
  readonly pod?: string;
  /** Its SELinux context. */
  readonly selinuxContext?: string;
  /** The address by which both sides keep in step. */
  readonly syncAddress?: string;
  /** The id of the instance there. */
  readonly virtualMachineInstanceUID?: string;
}

/** When a phase began. */
export interface VirtualMachineInstancePhaseTransitionTimestamp {
  /** The phase. */
  readonly phase?: string;
  /** When it began. */
  readonly phaseTransitionTimestamp?: string;
}

/** What later hosts must offer. */
export interface TopologyHints {
  /** The frequency of the time stamp counter, in Hz. */
  readonly tscFrequency?: number;
}

/** What is known of a volume. */
export interface VolumeStatus {
  /** What is known of a container disk. */
  readonly containerDiskVolume?: ContainerDiskInfo;
  /** What is known of a plugged-in volume. */
  readonly hotplugVolume?: HotplugVolumeStatus;
  /** What is known of a memory dump. */
  readonly memoryDumpVolume?: DomainMemoryDumpInfo;
  /** What happened, as a sentence. */
  readonly message?: string;
  /** The name of the volume. */
  readonly name: string;
  /** What is known of its claim. */
  readonly persistentVolumeClaimInfo?: PersistentVolumeClaimInfo;
  /** How far it is, such as `Ready`. */
  readonly phase?: string;
  /** Why it is in that phase, as one word. */
  readonly reason?: string;
  /** Its size in bytes. */
  readonly size?: number;
  /** The name by which the guest sees it. */
  readonly target: string;
}

/** What is known of a container disk. */
export interface ContainerDiskInfo {
  /** The checksum of its image. */
  readonly checksum?: number;
}

/** What is known of a plugged-in volume. */
export interface HotplugVolumeStatus {
  /** The pod that holds it. */
  readonly attachPodName?: string;
  /** The id of the pod that holds it. */
  readonly attachPodUID?: string;
}

/** What is known of a memory dump. */
export interface DomainMemoryDumpInfo {
  /** The claim it is written to. */
  readonly claimName?: string;
  /** When it was over. */
  readonly endTimestamp?: string;
  /** When it began. */
  readonly startTimestamp?: string;
  /** The file it is written to. */
  readonly targetFileName?: string;
}

/** A virtual machine, whether it runs or not. */
export interface VirtualMachine {
  readonly apiVersion: 'kubevirt.io/v1' | 'kubevirt.io/v1alpha3';
  readonly kind: 'VirtualMachine';
  readonly metadata: ObjectMeta;
  /** A virtual machine, whether it runs or not. */
  readonly spec: VirtualMachineSpec;
  /** What is known of a virtual machine. */
  readonly status?: VirtualMachineStatus;
}

/** A virtual machine, whether it runs or not. */
export interface VirtualMachineSpec {
  /** Volumes that belong to it and go with it. */
  readonly dataVolumeTemplates?: readonly (DataVolumeTemplateSpec | null)[];
  /** Processors, memory and more, by the name of an instance type. */
  readonly instancetype?: InstancetypeMatcher;
  /** Defaults for what is not set, by the name of a preference. */
  readonly preference?: PreferenceMatcher;
  /** When it runs: `Always`, `Halted`, `Manual`, `RerunOnFailure`, `Once` or `WaitAsReceiver`. */
  readonly runStrategy?: string;
  /** Deprecated; use `runStrategy`. */
  readonly running?: boolean;
  /** What its instance is made from. */
  readonly template: VirtualMachineInstanceTemplateSpec;
  /** What a change of volumes does: `Migration` or `Replacement`. */
  readonly updateVolumesStrategy?: string;
}

/** A DataVolume that belongs to the virtual machine. */
export interface DataVolumeTemplateSpec {
  /** The version of the DataVolume. */
  readonly apiVersion?: string;
  /** The kind; `DataVolume`. */
  readonly kind?: string;
  /** The metadata of the DataVolume. */
  readonly metadata?: Partial<ObjectMeta> | null;
  /** The volume and its data. */
  readonly spec: DataVolumeSpec;
  /** Ignored. */
  readonly status?: DataVolumeTemplateDummyStatus | null;
}

/** A volume and the data to fill it with. */
export interface DataVolumeSpec {
  /** The steps of an import in several steps. */
  readonly checkpoints?: readonly DataVolumeCheckpoint[];
  /** What the data is: an image, or an archive of files. */
  readonly contentType?: 'kubevirt' | 'archive';
  /** Whether the last step is the last one of all. */
  readonly finalCheckpoint?: boolean;
  /** Take all space at once. */
  readonly preallocation?: boolean;
  /** The priority class of the pods that do the work. */
  readonly priorityClassName?: string;
  /** The claim, as Kubernetes has it. */
  readonly pvc?: PersistentVolumeClaimSpec;
  /** Where the data comes from. */
  readonly source?: DataVolumeContentSource;
  /** Names an object that says where the data comes from. */
  readonly sourceRef?: DataVolumeSourceRef;
  /** The claim, with gaps that are filled. */
  readonly storage?: StorageSpec;
}

/** One step of an import in several steps. */
export interface DataVolumeCheckpoint {
  /** The snapshot of this step. */
  readonly current: string;
  /** The snapshot of the step before; empty for the first. */
  readonly previous: string;
}

/** A claim for storage, as Kubernetes has it. */
export interface PersistentVolumeClaimSpec {
  /** How the volume must be mountable, such as `ReadWriteMany`. */
  readonly accessModes?: readonly string[];
  /** What the volume is filled from, in the same namespace. */
  readonly dataSource?: TypedLocalObjectReference;
  /** What the volume is filled from. */
  readonly dataSourceRef?: TypedObjectReference;
  /** How large the volume must be. */
  readonly resources?: VolumeResourceRequirements;
  /** Chooses the volume by its labels. */
  readonly selector?: LabelSelector;
  /** The storage class. */
  readonly storageClassName?: string;
  /** The class of further attributes of the volume. */
  readonly volumeAttributesClassName?: string;
  /** `Filesystem` or `Block`. */
  readonly volumeMode?: string;
  /** The name of the volume that is claimed. */
  readonly volumeName?: string;
}

/** Names an object of some kind in the same namespace. */
export interface TypedLocalObjectReference {
  /** The group of the kind; empty for the core group. */
  readonly apiGroup?: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The name of the object. */
  readonly name: string;
}

/** Names an object of some kind. */
export interface TypedObjectReference {
  /** The group of the kind; empty for the core group. */
  readonly apiGroup?: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The name of the object. */
  readonly name: string;
  /** The namespace of the object, where it is another one. */
  readonly namespace?: string;
}

/** How large a volume must and may be. */
export interface VolumeResourceRequirements {
  /** The most of each resource. */
  readonly limits?: Readonly<Record<string, number | string>>;
  /** The least of each resource. */
  readonly requests?: Readonly<Record<string, number | string>>;
}

/** Where the data of a volume comes from; exactly one is set. */
export interface DataVolumeContentSource {
  /** An empty image. */
  readonly blank?: DataVolumeBlankImage;
  /** An object in Google Cloud Storage. */
  readonly gcs?: DataVolumeSourceGCS;
  /** A file on a web server. */
  readonly http?: DataVolumeSourceHTTP;
  /** A disk of oVirt. */
  readonly imageio?: DataVolumeSourceImageIO;
  /** Another claim, which is cloned. */
  readonly pvc?: DataVolumeSourcePVC;
  /** An image in a container registry. */
  readonly registry?: DataVolumeSourceRegistry;
  /** An object in S3. */
  readonly s3?: DataVolumeSourceS3;
  /** A snapshot of a volume. */
  readonly snapshot?: DataVolumeSourceSnapshot;
  /** Filled by an upload. */
  readonly upload?: DataVolumeSourceUpload;
  /** A disk of VMware. */
  readonly vddk?: DataVolumeSourceVDDK;
}

/** An empty image. */
export type DataVolumeBlankImage = Readonly<Record<string, never>>;

/** An object in Google Cloud Storage. */
export interface DataVolumeSourceGCS {
  /** The Secret that holds the credentials. */
  readonly secretRef?: string;
  /** The address of the object. */
  readonly url: string;
}

/** A file on a web server. */
export interface DataVolumeSourceHTTP {
  /** The ConfigMap that holds certificates to trust. */
  readonly certConfigMap?: string;
  /** Headers to send. */
  readonly extraHeaders?: readonly string[];
  /** Secrets that hold further headers to send. */
  readonly secretExtraHeaders?: readonly string[];
  /** The Secret that holds user name and password. */
  readonly secretRef?: string;
  /** The address of the file. */
  readonly url: string;
}

/** A disk of oVirt. */
export interface DataVolumeSourceImageIO {
  /** The ConfigMap that holds certificates to trust. */
  readonly certConfigMap?: string;
  /** The id of the disk. */
  readonly diskId: string;
  /** Trust any certificate. */
  readonly insecureSkipVerify?: boolean;
  /** The Secret that holds user name and password. */
  readonly secretRef?: string;
  /** The address of the engine. */
  readonly url: string;
}

/** Another claim, which is cloned. */
export interface DataVolumeSourcePVC {
  /** The name of the claim. */
  readonly name: string;
  /** The namespace of the claim. */
  readonly namespace: string;
}

/** An image in a container registry. */
export interface DataVolumeSourceRegistry {
  /** The ConfigMap that holds certificates to trust. */
  readonly certConfigMap?: string;
  /** The image stream to import, in place of an address. */
  readonly imageStream?: string;
  /** Which variant of the image is taken. */
  readonly platform?: PlatformOptions;
  /** `pod` or `node`: who pulls the image. */
  readonly pullMethod?: string;
  /** The Secret that holds the credentials. */
  readonly secretRef?: string;
  /** The address of the image. */
  readonly url?: string;
}

/** Which variant of an image is taken. */
export interface PlatformOptions {
  /** The architecture of the image. */
  readonly architecture?: string;
}

/** An object in S3. */
export interface DataVolumeSourceS3 {
  /** The ConfigMap that holds certificates to trust. */
  readonly certConfigMap?: string;
  /** The Secret that holds the credentials. */
  readonly secretRef?: string;
  /** The address of the object. */
  readonly url: string;
}

/** A snapshot of a volume. */
export interface DataVolumeSourceSnapshot {
  /** The name of the snapshot. */
  readonly name: string;
  /** The namespace of the snapshot. */
  readonly namespace: string;
}

/** Filled by an upload. */
export type DataVolumeSourceUpload = Readonly<Record<string, never>>;

/** A disk of VMware. */
export interface DataVolumeSourceVDDK {
  /** The path of the disk at its source. */
  readonly backingFile?: string;
  /** The ConfigMap that holds further arguments. */
  readonly extraArgs?: string;
  /** The image that holds the VDDK library. */
  readonly initImageURL?: string;
  /** The Secret that holds user name and password. */
  readonly secretRef?: string;
  /** The fingerprint of the server's certificate. */
  readonly thumbprint?: string;
  /** The address of the server. */
  readonly url?: string;
  /** The id of the virtual machine there. */
  readonly uuid?: string;
}

/** Names an object that says where the data comes from. */
export interface DataVolumeSourceRef {
  /** The kind of the object; `DataSource`. */
  readonly kind: string;
  /** The name of the object. */
  readonly name: string;
  /** The namespace of the object. */
  readonly namespace?: string;
}

/** A claim for storage, with gaps that are filled by what is known of the storage class. */
export interface StorageSpec {
  /** How the volume must be mountable. */
  readonly accessModes?: readonly string[];
  /** What the volume is filled from, in the same namespace. */
  readonly dataSource?: TypedLocalObjectReference;
  /** What the volume is filled from. */
  readonly dataSourceRef?: TypedObjectReference;
  /** How large the volume must be. */
  readonly resources?: VolumeResourceRequirements;
  /** Chooses the volume by its labels. */
  readonly selector?: LabelSelector;
  /** The storage class. */
  readonly storageClassName?: string;
  /** `Filesystem` or `Block`. */
  readonly volumeMode?: string;
  /** The name of the volume that is claimed. */
  readonly volumeName?: string;
}

/** Ignored. */
export type DataVolumeTemplateDummyStatus = Readonly<Record<string, never>>;

/** Names an instance type. */
export interface InstancetypeMatcher {
  /** The volume whose labels say which one. */
  readonly inferFromVolume?: string;
  /** What happens when the volume does not say: `Reject` or `Ignore`. */
  readonly inferFromVolumeFailurePolicy?: string;
  /** The kind; `VirtualMachineClusterInstancetype` when not set. */
  readonly kind?: string;
  /** The name. */
  readonly name?: string;
  /** The revision that is pinned. */
  readonly revisionName?: string;
}

/** Names a preference. */
export interface PreferenceMatcher {
  /** The volume whose labels say which one. */
  readonly inferFromVolume?: string;
  /** What happens when the volume does not say: `Reject` or `Ignore`. */
  readonly inferFromVolumeFailurePolicy?: string;
  /** The kind; `VirtualMachineClusterPreference` when not set. */
  readonly kind?: string;
  /** The name. */
  readonly name?: string;
  /** The revision that is pinned. */
  readonly revisionName?: string;
}

/** What instances are made from. */
export interface VirtualMachineInstanceTemplateSpec {
  /** The metadata of the instances. */
  readonly metadata?: Partial<ObjectMeta> | null;
  /** The virtual machine that is wanted. */
  readonly spec?: VirtualMachineInstanceSpec;
}

/** What is known of a virtual machine. */
export interface VirtualMachineStatus {
  /** Whether changed blocks are kept track of. */
  readonly changedBlockTracking?: ChangedBlockTrackingStatus | null;
  /** What is the case with it. */
  readonly conditions?: readonly VirtualMachineCondition[];
  /** Whether its instance exists. */
  readonly created?: boolean;
  /** The generation that is wanted. */
  readonly desiredGeneration?: number;
  /** The instance type that is in use. */
  readonly instancetypeRef?: InstancetypeStatusRef | null;
  /** A dump of the guest's memory. */
  readonly memoryDumpRequest?: VirtualMachineMemoryDumpRequest | null;
  /** The generation that the instance was made from. */
  readonly observedGeneration?: number;
  /** The preference that is in use. */
  readonly preferenceRef?: InstancetypeStatusRef | null;
  /** Its state for people. */
  readonly printableStatus?: string;
  /** Whether its instance is ready. */
  readonly ready?: boolean;
  /** The restore that is going on. */
  readonly restoreInProgress?: string;
  /** The run strategy that applies. */
  readonly runStrategy?: string;
  /** The snapshot that is being taken. */
  readonly snapshotInProgress?: string;
  /** How often it could not be started. */
  readonly startFailure?: VirtualMachineStartFailure | null;
  /** Orders to start or stop. */
  readonly stateChangeRequests?: readonly VirtualMachineStateChangeRequest[];
  /** Orders to plug in or unplug volumes. */
  readonly volumeRequests?: readonly VirtualMachineVolumeRequest[];
  /** Whether its volumes can be snapshotted. */
  readonly volumeSnapshotStatuses?: readonly VolumeSnapshotStatus[];
  /** How far a change of volumes is. */
  readonly volumeUpdateState?: VolumeUpdateState;
}

/** A fact about the virtual machine. */
export interface VirtualMachineCondition {
  /** When it was last looked at. */
  readonly lastProbeTime?: string | null;
  /** When the status last changed. */
  readonly lastTransitionTime?: string | null;
  /** What happened, as a sentence. */
  readonly message?: string;
  /** Why the status is what it is, as one word. */
  readonly reason?: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** What the condition is about. */
  readonly type: string;
}

/** The instance type or preference that is in use. */
export interface InstancetypeStatusRef {
  /** The copy that is in use. */
  readonly controllerRevisionRef?: ControllerRevisionRef;
  /** The volume whose labels said which one. */
  readonly inferFromVolume?: string;
  /** What happens when the volume does not say. */
  readonly inferFromVolumeFailurePolicy?: string;
  /** Its kind. */
  readonly kind?: string;
  /** Its name. */
  readonly name?: string;
}

/** Names a ControllerRevision. */
export interface ControllerRevisionRef {
  /** Its name. */
  readonly name?: string;
}

/** A dump of the guest's memory. */
export interface VirtualMachineMemoryDumpRequest {
  /** The claim it is written to. */
  readonly claimName: string;
  /** When it was over. */
  readonly endTimestamp?: string;
  /** The file it is written to. */
  readonly fileName?: string;
  /** What happened, as a sentence. */
  readonly message?: string;
  /** How far it is. */
  readonly phase: string;
  /** Whether the claim is to be let go. */
  readonly remove?: boolean;
  /** When it began. */
  readonly startTimestamp?: string;
}

/** How often it could not be started. */
export interface VirtualMachineStartFailure {
  /** How often in a row. */
  readonly consecutiveFailCount?: number;
  /** The id of the instance that failed last. */
  readonly lastFailedVMIUID?: string;
  /** When it is tried again. */
  readonly retryAfterTimestamp?: string;
}

/** An order to start or stop. */
export interface VirtualMachineStateChangeRequest {
  /** `Start` or `Stop`. */
  readonly action: string;
  /** Further data of the order. */
  readonly data?: Readonly<Record<string, string>>;
  /** The id of the instance it is about. */
  readonly uid?: string;
}

/** An order to plug in or unplug a volume. */
export interface VirtualMachineVolumeRequest {
  /** A volume to plug in. */
  readonly addVolumeOptions?: AddVolumeOptions;
  /** A volume to unplug. */
  readonly removeVolumeOptions?: RemoveVolumeOptions;
}

/** A volume to plug in. */
export interface AddVolumeOptions {
  /** How the guest sees it. */
  readonly disk: Disk;
  /** `All`: only look whether it can be done. */
  readonly dryRun?: readonly string[];
  /** The name of the volume. */
  readonly name: string;
  /** What is plugged in. */
  readonly volumeSource: HotplugVolumeSource;
}

/** What is plugged in. */
export interface HotplugVolumeSource {
  /** A DataVolume. */
  readonly dataVolume?: DataVolumeSource;
  /** A claim. */
  readonly persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
}

/** A volume to unplug. */
export interface RemoveVolumeOptions {
  /** `All`: only look whether it can be done. */
  readonly dryRun?: readonly string[];
  /** The name of the volume. */
  readonly name: string;
}

/** Whether a volume can be snapshotted. */
export interface VolumeSnapshotStatus {
  /** Whether it can. */
  readonly enabled: boolean;
  /** The name of the volume. */
  readonly name: string;
  /** Why it can or cannot. */
  readonly reason?: string;
}

/** How far a change of volumes is. */
export interface VolumeUpdateState {
  /** Volumes that move to other claims. */
  readonly volumeMigrationState?: VolumeMigrationState;
}

/** Volumes that move to other claims. */
export interface VolumeMigrationState {
  /** The volumes. */
  readonly migratedVolumes?: readonly StorageMigratedVolumeInfo[];
}

/** An order to move an instance to another node. Deleting it gives the move up. */
export interface VirtualMachineInstanceMigration {
  readonly apiVersion: 'kubevirt.io/v1' | 'kubevirt.io/v1alpha3';
  readonly kind: 'VirtualMachineInstanceMigration';
  readonly metadata: ObjectMeta;
  /** An order to move an instance to another node. */
  readonly spec: VirtualMachineInstanceMigrationSpec;
  /** How far the order is. */
  readonly status?: VirtualMachineInstanceMigrationStatus;
}

/** An order to move an instance to another node. */
export interface VirtualMachineInstanceMigrationSpec {
  /** Labels that the target must have beside those the instance asks for. */
  readonly addedNodeSelector?: Readonly<Record<string, string>>;
  /** Which orders are carried out first; the controller sets it. */
  readonly priority?: string;
  /** Receive the instance from another cluster. */
  readonly receive?: VirtualMachineInstanceMigrationTarget;
  /** Send the instance to another cluster. */
  readonly sendTo?: VirtualMachineInstanceMigrationSource;
  /** The name of the instance. */
  readonly vmiName?: string;
}

/** Receives an instance from another cluster. */
export interface VirtualMachineInstanceMigrationTarget {
  /** The id that both sides know the migration by. */
  readonly migrationID: string;
}

/** Sends an instance to another cluster. */
export interface VirtualMachineInstanceMigrationSource {
  /** The address of the other side. */
  readonly connectURL: string;
  /** The id that both sides know the migration by. */
  readonly migrationID: string;
}

/** How far the order is. */
export interface VirtualMachineInstanceMigrationStatus {
  /** What is the case with it. */
  readonly conditions?: readonly VirtualMachineInstanceMigrationCondition[];
  /** How far the migration is. */
  readonly migrationState?: VirtualMachineInstanceMigrationState;
  /** Where it is in its life. */
  readonly phase?: string;
  /** When each phase began. */
  readonly phaseTransitionTimestamps?: readonly VirtualMachineInstanceMigrationPhaseTransitionTimestamp[];
  /** The addresses by which both sides keep in step. */
  readonly synchronizationAddresses?: readonly string[];
}

/** A fact about the migration. */
export interface VirtualMachineInstanceMigrationCondition {
  /** When it was last looked at. */
  readonly lastProbeTime?: string | null;
  /** When the status last changed. */
  readonly lastTransitionTime?: string | null;
  /** What happened, as a sentence. */
  readonly message?: string;
  /** Why the status is what it is, as one word. */
  readonly reason?: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** What the condition is about. */
  readonly type: string;
}

/** When a phase began. */
export interface VirtualMachineInstanceMigrationPhaseTransitionTimestamp {
  /** The phase. */
  readonly phase?: string;
  /** When it began. */
  readonly phaseTransitionTimestamp?: string;
}

/** Keeps a number of like instances running. */
export interface VirtualMachineInstanceReplicaSet {
  readonly apiVersion: 'kubevirt.io/v1' | 'kubevirt.io/v1alpha3';
  readonly kind: 'VirtualMachineInstanceReplicaSet';
  readonly metadata: ObjectMeta;
  /** A number of like instances. */
  readonly spec: VirtualMachineInstanceReplicaSetSpec;
  /** How many instances there are. */
  readonly status?: VirtualMachineInstanceReplicaSetStatus | null;
}

/** A number of like instances. */
export interface VirtualMachineInstanceReplicaSetSpec {
  /** Make and delete none for now. */
  readonly paused?: boolean;
  /** How many there should be; 1 when not set. */
  readonly replicas?: number;
  /** Chooses the instances that are counted. */
  readonly selector: LabelSelector;
  /** What instances are made from. */
  readonly template: VirtualMachineInstanceTemplateSpec;
}

/** How many instances there are. */
export interface VirtualMachineInstanceReplicaSetStatus {
  /** What is the case with the set. */
  readonly conditions?: readonly VirtualMachineInstanceReplicaSetCondition[];
  /** The selector as text, for autoscalers. */
  readonly labelSelector?: string;
  /** How many are ready. */
  readonly readyReplicas?: number;
  /** How many there are. */
  readonly replicas?: number;
}

/** A fact about the set. */
export interface VirtualMachineInstanceReplicaSetCondition {
  /** When it was last looked at. */
  readonly lastProbeTime?: string | null;
  /** When the status last changed. */
  readonly lastTransitionTime?: string | null;
  /** What happened, as a sentence. */
  readonly message?: string;
  /** Why the status is what it is, as one word. */
  readonly reason?: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** What the condition is about. */
  readonly type: string;
}

/** Keeps a number of like virtual machines. */
export interface VirtualMachinePool {
  readonly apiVersion: 'pool.kubevirt.io/v1beta1' | 'pool.kubevirt.io/v1alpha1';
  readonly kind: 'VirtualMachinePool';
  readonly metadata: ObjectMeta;
  /** A number of like virtual machines. */
  readonly spec: VirtualMachinePoolSpec;
  /** How many machines there are. */
  readonly status?: VirtualMachinePoolStatus | null;
}

/** A number of like virtual machines. */
export interface VirtualMachinePoolSpec {
  /** Replaces machines that do not start; none when not set. */
  readonly autohealing?: VirtualMachinePoolAutohealingStrategy;
  /** How many may be down for an update, as a number or a percentage; `100%` when not set. */
  readonly maxUnavailable?: number | string;
  /** How names are made. */
  readonly nameGeneration?: VirtualMachinePoolNameGeneration;
  /** Make, change and delete none for now. */
  readonly paused?: boolean;
  /** How many there should be; 1 when not set. */
  readonly replicas?: number;
  /** What is done when there are too many. */
  readonly scaleInStrategy?: VirtualMachinePoolScaleInStrategy;
  /** Chooses the machines that are counted. */
  readonly selector: LabelSelector;
  /** What is done with machines when their template changes. */
  readonly updateStrategy?: VirtualMachinePoolUpdateStrategy;
  /** What machines are made from. */
  readonly virtualMachineTemplate: VirtualMachineTemplateSpec;
}

/** When a machine that does not start is made anew. */
export interface VirtualMachinePoolAutohealingStrategy {
  /** How long it has not been ready by then, such as `5m`, which is the default. */
  readonly minFailingToStartDuration?: string;
  /** How many starts in a row have failed; 3 when not set. */
  readonly startUpFailureThreshold?: number;
}

/** What gets the number of the machine. */
export interface VirtualMachinePoolNameGeneration {
  /** Names of ConfigMaps get it. */
  readonly appendIndexToConfigMapRefs?: boolean;
  /** Names of Secrets get it. */
  readonly appendIndexToSecretRefs?: boolean;
}

/** What is done when there are too many. */
export interface VirtualMachinePoolScaleInStrategy {
  /** Waits until somebody deletes machines. */
  readonly opportunistic?: VirtualMachinePoolOpportunisticScaleInStrategy;
  /** Deletes machines; the default. */
  readonly proactive?: VirtualMachinePoolProactiveScaleInStrategy;
  /** Leaves it to people. */
  readonly unmanaged?: VirtualMachinePoolUnmanagedStrategy;
}

/** None is deleted, but those that somebody deletes are not made again. */
export interface VirtualMachinePoolOpportunisticScaleInStrategy {
  /** What is kept of machines that go: nothing, claims, or claims and memory. */
  readonly statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/** Machines are deleted. */
export interface VirtualMachinePoolProactiveScaleInStrategy {
  /** Which go first. */
  readonly selectionPolicy?: VirtualMachinePoolSelectionPolicy;
  /** What is kept of machines that go: nothing, claims, or claims and memory. */
  readonly statePreservation?: 'Disabled' | 'Offline' | 'Online';
}

/** Which machines come first. */
export interface VirtualMachinePoolSelectionPolicy {
  /** Those that come into question; all when not set. */
  readonly selectors?: VirtualMachinePoolSelectors;
  /** In which order, by the numbers in their names or by their age; `Random` when not set. */
  readonly sortPolicy?: 'AscendingOrder' | 'DescendingOrder' | 'Newest' | 'Oldest' | 'Random';
}

/** Which machines are chosen; where both are set, both must hold. */
export interface VirtualMachinePoolSelectors {
  /** By the labels of the template of their instance. */
  readonly labelSelector?: LabelSelector;
  /** By the node selector of the template of their instance. */
  readonly nodeSelectorRequirementMatcher?: readonly NodeSelectorRequirement[];
}

/** Nothing is done by itself. */
export type VirtualMachinePoolUnmanagedStrategy = Readonly<Record<string, never>>;

/** What is done with machines when their template changes. */
export interface VirtualMachinePoolUpdateStrategy {
  /** Changes machines, and restarts none. */
  readonly opportunistic?: VirtualMachineOpportunisticUpdateStrategy;
  /** Changes and restarts machines; the default. */
  readonly proactive?: VirtualMachinePoolProactiveUpdateStrategy;
  /** Leaves them as they are. */
  readonly unmanaged?: VirtualMachinePoolUnmanagedStrategy;
}

/** Machines are changed, and what runs is left alone until it is started again. */
export type VirtualMachineOpportunisticUpdateStrategy = Readonly<Record<string, never>>;

/** Machines are changed and restarted. */
export interface VirtualMachinePoolProactiveUpdateStrategy {
  /** Which go first. */
  readonly selectionPolicy?: VirtualMachinePoolSelectionPolicy;
}

/** What virtual machines are made from. */
export interface VirtualMachineTemplateSpec {
  /** Labels and annotations that they get. */
  readonly metadata?: Partial<ObjectMeta> | null;
  /** What they are. */
  readonly spec?: VirtualMachineSpec;
}

/** How many machines there are. */
export interface VirtualMachinePoolStatus {
  /** What is the case with the pool. */
  readonly conditions?: readonly VirtualMachinePoolCondition[];
  /** The selector as text, for autoscalers. */
  readonly labelSelector?: string;
  /** How many are ready. */
  readonly readyReplicas?: number;
  /** How many there are. */
  readonly replicas?: number;
}

/** A fact about the pool. */
export interface VirtualMachinePoolCondition {
  /** When it was last looked at. */
  readonly lastProbeTime?: string | null;
  /** When the status last changed. */
  readonly lastTransitionTime?: string | null;
  /** What happened, as a sentence. */
  readonly message?: string;
  /** Why the status is what it is, as one word. */
  readonly reason?: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** What the condition is about. */
  readonly type: string;
}

/** What instances with certain labels have where they do not say it. Deprecated; use instance types and preferences. */
export interface VirtualMachineInstancePreset {
  readonly apiVersion: 'kubevirt.io/v1' | 'kubevirt.io/v1alpha3';
  readonly kind: 'VirtualMachineInstancePreset';
  readonly metadata: ObjectMeta;
  /** What some instances have where they do not say it. */
  readonly spec: VirtualMachineInstancePresetSpec;
}

/** What some instances have where they do not say it. */
export interface VirtualMachineInstancePresetSpec {
  /** What they get: requests, processors, firmware, clock, features, watchdog and threads for disks. */
  readonly domain?: DomainSpec;
  /** Chooses the instances, by their labels. */
  readonly selector: LabelSelector;
}

/** A size of virtual machines, for those of its namespace. */
export interface VirtualMachineInstancetype {
  readonly apiVersion: 'instancetype.kubevirt.io/v1beta1';
  readonly kind: 'VirtualMachineInstancetype';
  readonly metadata: ObjectMeta;
  /** What machines of a type have. They cannot say otherwise themselves. */
  readonly spec: VirtualMachineInstancetypeSpec;
}

/** What machines of a type have. They cannot say otherwise themselves. */
export interface VirtualMachineInstancetypeSpec {
  /** Annotations of their instances. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Their processors. */
  readonly cpu: CPUInstancetype;
  /** GPUs that are handed to them. */
  readonly gpus?: readonly GPU[];
  /** Devices of the host that are handed to them. */
  readonly hostDevices?: readonly HostDevice[];
  /** The threads that serve disks. */
  readonly ioThreads?: DiskIOThreads;
  /** How disks share threads: `shared`, `auto` or `supplementalPool`. */
  readonly ioThreadsPolicy?: string;
  /** How guests are shielded from their host. */
  readonly launchSecurity?: LaunchSecurity;
  /** Their memory. */
  readonly memory: MemoryInstancetype;
  /** Labels that their nodes have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Who chooses their nodes. */
  readonly schedulerName?: string;
}

/** The processors of a type. */
export interface CPUInstancetype {
  /** Give each processor of the guest one of the host to itself. */
  readonly dedicatedCPUPlacement?: boolean;
  /** How many the guest sees. */
  readonly guest: number;
  /** Give the emulator a processor of its own. */
  readonly isolateEmulatorThread?: boolean;
  /** The sockets that can be plugged in at most. */
  readonly maxSockets?: number;
  /** A model by name, `host-model` or `host-passthrough`. */
  readonly model?: string;
  /** The NUMA cells of the guest. */
  readonly numa?: NUMA;
  /** Which processors have real-time scheduling. */
  readonly realtime?: Realtime;
}

/** The memory of a type. */
export interface MemoryInstancetype {
  /** How much the guest sees. */
  readonly guest: number | string;
  /** Take it in huge pages. */
  readonly hugepages?: Hugepages;
  /** How much can be plugged in at most. */
  readonly maxGuest?: number | string;
  /** By how many per cent less is asked of the node than the guest sees. */
  readonly overcommitPercent?: number;
}

/** A size of virtual machines, for all namespaces. */
export interface VirtualMachineClusterInstancetype {
  readonly apiVersion: 'instancetype.kubevirt.io/v1beta1';
  readonly kind: 'VirtualMachineClusterInstancetype';
  readonly metadata: ObjectMeta;
  /** What machines of a type have. They cannot say otherwise themselves. */
  readonly spec: VirtualMachineInstancetypeSpec;
}

/** Defaults of virtual machines, for those of its namespace. */
export interface VirtualMachinePreference {
  readonly apiVersion: 'instancetype.kubevirt.io/v1beta1';
  readonly kind: 'VirtualMachinePreference';
  readonly metadata: ObjectMeta;
  /** Defaults for what a machine does not say itself. */
  readonly spec: VirtualMachinePreferenceSpec;
}

/** Defaults for what a machine does not say itself. */
export interface VirtualMachinePreferenceSpec {
  /** Annotations of its instances. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Defaults of the clock. */
  readonly clock?: ClockPreferences;
  /** Defaults of the processors. */
  readonly cpu?: CPUPreferences;
  /** Defaults of devices. */
  readonly devices?: DevicePreferences;
  /** Defaults of features. */
  readonly features?: FeaturePreferences;
  /** Defaults of the firmware. */
  readonly firmware?: FirmwarePreferences;
  /** Defaults of the machine. */
  readonly machine?: MachinePreferences;
  /** Cores per socket where processors are spread; 2 when not set. */
  readonly preferSpreadSocketToCoreRatio?: number;
  /** The architecture. */
  readonly preferredArchitecture?: string;
  /** How the guest is shielded from its host. */
  readonly preferredLaunchSecurity?: LaunchSecurity;
  /** The subdomain. */
  readonly preferredSubdomain?: string;
  /** How many seconds the guest has to shut down. */
  readonly preferredTerminationGracePeriodSeconds?: number;
  /** What the machine must have. */
  readonly requirements?: PreferenceRequirements;
  /** Defaults of volumes. */
  readonly volumes?: VolumePreferences;
}

/** Defaults of the clock. */
export interface ClockPreferences {
  /** Where the clock starts. */
  readonly preferredClockOffset?: ClockOffset;
  /** The timers. */
  readonly preferredTimer?: Timer;
}

/** Where the clock of the guest starts. */
export interface ClockOffset {
  /** At the time of this zone, such as `Europe/Berlin`. */
  readonly timezone?: string;
  /** At UTC. */
  readonly utc?: ClockOffsetUTC;
}

/** Defaults of the processors. */
export interface CPUPreferences {
  /** Features of the processor. */
  readonly preferredCPUFeatures?: readonly CPUFeature[];
  /** What processors become: `sockets` (also when not set), `cores`, `threads`, `spread` or `any`. */
  readonly preferredCPUTopology?: string;
  /** How they are spread. */
  readonly spreadOptions?: SpreadOptions;
}

/** How processors are spread. */
export interface SpreadOptions {
  /** `SocketsCores` (also when not set), `CoresThreads` or `SocketsCoresThreads`. */
  readonly across?: string;
  /** How many of the smaller there are in one of the larger; 2 when not set. */
  readonly ratio?: number;
}

/** Defaults of devices. */
export interface DevicePreferences {
  /** Give it a graphics card and a VNC display. */
  readonly preferredAutoattachGraphicsDevice?: boolean;
  /** Give it a tablet. */
  readonly preferredAutoattachInputDevice?: boolean;
  /** Give it a memory balloon. */
  readonly preferredAutoattachMemBalloon?: boolean;
  /** Connect it to the network of the cluster. */
  readonly preferredAutoattachPodInterface?: boolean;
  /** Give it a serial console. */
  readonly preferredAutoattachSerialConsole?: boolean;
  /** Give disks one queue per processor. */
  readonly preferredBlockMultiQueue?: boolean;
  /** The bus of CD drives. */
  readonly preferredCdromBus?: string;
  /** Nothing can be plugged in while it runs. */
  readonly preferredDisableHotplug?: boolean;
  /** The block size of disks. */
  readonly preferredDiskBlockSize?: BlockSize;
  /** The bus of disks. */
  readonly preferredDiskBus?: string;
  /** The cache mode of disks. */
  readonly preferredDiskCache?: string;
  /** Give virtio disks threads of their own. */
  readonly preferredDiskDedicatedIoThread?: boolean;
  /** The I/O mode of disks. */
  readonly preferredDiskIO?: string;
  /** The bus of input devices. */
  readonly preferredInputBus?: string;
  /** The type of input devices. */
  readonly preferredInputType?: string;
  /** Connect it to the network of pods by address translation. */
  readonly preferredInterfaceMasquerade?: InterfaceMasquerade;
  /** The model of network cards. */
  readonly preferredInterfaceModel?: string;
  /** The bus of LUNs. */
  readonly preferredLunBus?: string;
  /** Give network cards one queue per processor. */
  readonly preferredNetworkInterfaceMultiQueue?: boolean;
  /** The model of the device by which it says that it has crashed. */
  readonly preferredPanicDeviceModel?: string;
  /** A source of random numbers. */
  readonly preferredRng?: Rng;
  /** The model of the sound card. */
  readonly preferredSoundModel?: string;
  /** A trusted platform module. */
  readonly preferredTPM?: TPMDevice;
  /** Use the older virtio. */
  readonly preferredUseVirtioTransitional?: boolean;
  /** The type of the graphics card. */
  readonly preferredVideoType?: string;
  /** Options of virtual GPUs. */
  readonly preferredVirtualGPUOptions?: VGPUOptions;
}

/** Defaults of features. */
export interface FeaturePreferences {
  /** Power management. */
  readonly preferredAcpi?: FeatureState;
  /** The interrupt controller. */
  readonly preferredApic?: FeatureAPIC;
  /** Features of Hyper-V. */
  readonly preferredHyperv?: FeatureHyperv;
  /** Features of KVM. */
  readonly preferredKvm?: FeatureKVM;
  /** Locks that tell the hypervisor when they wait. */
  readonly preferredPvspinlock?: FeatureState;
  /** System management mode. */
  readonly preferredSmm?: FeatureState;
}

/** Defaults of the firmware. */
export interface FirmwarePreferences {
  /** Boot by UEFI. */
  readonly preferredEfi?: EFI;
  /** Boot by the classic firmware. */
  readonly preferredUseBios?: boolean;
  /** Show what that prints on the serial console. */
  readonly preferredUseBiosSerial?: boolean;
  /** Deprecated; use `preferredEfi`. */
  readonly preferredUseEfi?: boolean;
  /** Deprecated; use `preferredEfi`. */
  readonly preferredUseSecureBoot?: boolean;
}

/** Defaults of the machine. */
export interface MachinePreferences {
  /** The type, such as `q35`. */
  readonly preferredMachineType?: string;
}

/** What a machine must have. */
export interface PreferenceRequirements {
  /** The architecture that it must have. */
  readonly architecture?: string;
  /** The least processors. */
  readonly cpu?: CPUPreferenceRequirement;
  /** The least memory. */
  readonly memory?: MemoryPreferenceRequirement;
}

/** The least processors. */
export interface CPUPreferenceRequirement {
  /** How many there must be. */
  readonly guest: number;
}

/** The least memory. */
export interface MemoryPreferenceRequirement {
  /** How much there must be. */
  readonly guest: number | string;
}

/** Defaults of volumes. */
export interface VolumePreferences {
  /** The storage class of volumes that belong to the machine. */
  readonly preferredStorageClassName?: string;
}

/** Defaults of virtual machines, for all namespaces. */
export interface VirtualMachineClusterPreference {
  readonly apiVersion: 'instancetype.kubevirt.io/v1beta1';
  readonly kind: 'VirtualMachineClusterPreference';
  readonly metadata: ObjectMeta;
  /** Defaults for what a machine does not say itself. */
  readonly spec: VirtualMachinePreferenceSpec;
}

/** How some instances are migrated, where that differs from the rest of the cluster. */
export interface MigrationPolicy {
  readonly apiVersion: 'migrations.kubevirt.io/v1alpha1';
  readonly kind: 'MigrationPolicy';
  readonly metadata: ObjectMeta;
  /** How the instances that are chosen are migrated. */
  readonly spec: MigrationPolicySpec;
  /** Nothing yet. */
  readonly status?: MigrationPolicyStatus | null;
}

/** How the instances that are chosen are migrated. */
export interface MigrationPolicySpec {
  /** Slow the guest down so that the migration can end. */
  readonly allowAutoConverge?: boolean;
  /** Let the guest run at the target before all memory is there. */
  readonly allowPostCopy?: boolean;
  /** Allow what disturbs the guest; as `allowPostCopy` when not set. */
  readonly allowWorkloadDisruption?: boolean;
  /** The most that one migration may send per second; no limit when 0. */
  readonly bandwidthPerMigration?: number | string;
  /** How many seconds it may take per GiB of memory. */
  readonly completionTimeoutPerGiB?: number;
  /** Options that may change. */
  readonly experimental?: ExperimentalMigrationOptions;
  /** How long the guest may stand still, in milliseconds. */
  readonly maxDowntimeMs?: number;
  /** Which instances it is for. */
  readonly selectors: MigrationPolicySelectors;
}

/** Which instances a policy is for: those that have all the labels. */
export interface MigrationPolicySelectors {
  /** Labels that the namespace has. */
  readonly namespaceSelector?: Readonly<Record<string, string>>;
  /** Labels that the instance has. */
  readonly virtualMachineInstanceSelector?: Readonly<Record<string, string>>;
}

/** Nothing yet. */
export type MigrationPolicyStatus = Readonly<Record<string, never>>;
