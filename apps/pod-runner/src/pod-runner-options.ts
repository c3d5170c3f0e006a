import type { Clock } from '@smalt/controller-runtime';
import type { ImageStore } from '@smalt/image-store';
import type { KubeConfig } from '@smalt/kube';
import type { HealthRegistry, Logger, MetricsRegistry } from '@smalt/service-runtime';

/** What a pod runner is told. Only the first three have to be; the rest has the defaults of the command line. */
export interface PodRunnerOptions {
  /** The Node that it registers, and whose pods it runs. */
  readonly nodeName: string;
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
  /**
   * What stands for `smalt` in the command of a pod: the program and its first words, such as Node and the main file.
   * Needed wherever pods are processes.
   */
  readonly smaltCommand?: readonly string[] | undefined;
  /** What launchers run with, beside the search path of the system. */
  readonly launcherEnvironment?: Readonly<Record<string, string>> | undefined;
  /** Where the files of pods lie; `/var/lib/smalt/pods` if not given. */
  readonly podsDirectory?: string | undefined;
  /** The cgroup that `smalt/pods` is made in, such as `/system.slice`; that of the machine if not given. */
  readonly cgroupRoot?: string | undefined;
  /** Where images are found; that of `/var/lib/smalt/images` if not given. */
  readonly images?: ImageStore | undefined;
  /** Where claims of the class `smalt-local` lie; `/var/lib/smalt/volumes` if not given, and '' provides none. */
  readonly volumesDirectory?: string | undefined;
  /** False where guests are no processes: pods are only recorded then. */
  readonly runsProcesses?: boolean | undefined;
  /** The address of the node; the first of the machine if not given. */
  readonly address?: string | undefined;
  /** What the node has, where that is not what the machine has. */
  readonly capacity?: Readonly<Record<string, string>> | undefined;
  /** How many pods the node takes; 500 if not given. */
  readonly maxPods?: number | undefined;
  /** Memory that is kept for the machine itself; 256 MiB if not given. */
  readonly reservedMemoryMiB?: number | undefined;
  /** The processors that no pod gets for itself. With some, the node has a static CPU manager; with none it has none. */
  readonly reservedProcessors?: readonly number[] | undefined;
  /** How often the Lease of the node is renewed; 10 s if not given. */
  readonly heartbeatMs?: number | undefined;
  readonly metrics?: MetricsRegistry | undefined;
  readonly health?: HealthRegistry | undefined;
  readonly clock?: Clock | undefined;
  /** What credential plugins of the kubeconfig run with. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}
