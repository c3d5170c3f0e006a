import type { BedHost } from '@smalt/bed-libvirt';

/** What a host does when it is asked to work, for tests of what happens when it does not do well. */
export interface ComputeKnobs {
  /** The size it reports, from its next report on, within five seconds. */
  readonly vcpus: number;
  readonly memoryMiB: number;
  readonly diskGiB: number;
  /** How long it takes to start a guest, also one that is evacuated to it. */
  readonly spawnSeconds: number;
  readonly spawnFails: boolean;
  readonly destroyFails: boolean;
  /** Refuses a guest that is about to be moved to it. */
  readonly preLiveMigrationFails: boolean;
  /** How long a guest takes to move away from it. */
  readonly liveMigrationSeconds: number;
  /** Whether the move fails, once that time is over. */
  readonly liveMigrationFails: boolean;
  readonly coldMigrationSeconds: number;
  readonly coldMigrationFails: boolean;
  /** Whether the console of its guests stays empty, rather than naming the server. */
  readonly consoleIsSilent: boolean;
}

/** A guest as its host knows it, which Nova may see differently. */
export interface CloudGuest {
  /** The id of the server it was made for. */
  readonly id: string;
  /** The name Nova gave the guest, such as `instance-00000001`. */
  readonly name: string;
  readonly state: 'running' | 'off' | 'unknown';
}

/** One hypervisor of a cloud and the compute service on it. */
export interface CloudCompute {
  readonly name: string;
  /** The machine, where it is a real one (driver `libvirt`). */
  readonly host?: BedHost | undefined;
  /** Starts the compute service, and the host first if that has lost its power. */
  start(signal?: AbortSignal): Promise<void>;
  /** Ends the compute service in good order; the guests run on. */
  stop(signal?: AbortSignal): Promise<void>;
  /** Power loss: whatever the compute service was about is never finished, and all guests are off. */
  crash(signal?: AbortSignal): Promise<void>;
  /** Partition: the guests run on, but neither Nova nor anybody else hears of the host. `heal` ends it. */
  cut(signal?: AbortSignal): Promise<void>;
  heal(signal?: AbortSignal): Promise<void>;
  /** Makes its last report an hour old, so that Nova calls it down at once; only while its compute service is away. */
  expireReport(signal?: AbortSignal): Promise<void>;
  /** Changes how it behaves from now on; knobs that are not named stay. Only for the driver `fake`. */
  setKnobs(knobs: Partial<ComputeKnobs>, signal?: AbortSignal): Promise<void>;
  /** The guests the host has, whatever Nova believes. */
  guests(signal?: AbortSignal): Promise<readonly CloudGuest[]>;
}
