/** What a control plane has beside etcd and the API server, and how it is set. */
export interface KubernetesOptions {
  /** Where it listens, and nowhere else: an address of this machine that others reach, too. Left out: loopback. */
  readonly address?: string | undefined;
  /**
   * The controller manager: all of its controllers, or those that are named. With the one of service accounts among them every
   * pod gets one, as on any cluster; without it admission does not ask for them.
   */
  readonly controllers?: boolean | readonly string[] | undefined;
  readonly scheduler?: boolean | undefined;
  /** Whether `audit.log` in its directory gets a line for each request. Left out: where the run of tests keeps such logs. */
  readonly audit?: boolean | undefined;
  /** Of all programs alike. */
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
  /** Further flags of kube-apiserver. */
  readonly flags?: readonly string[] | undefined;
  /** Further flags of kube-controller-manager. */
  readonly controllerFlags?: readonly string[] | undefined;
  /** Left out: etcd writes to the disk as it must. Else its data lives in memory, which starts and writes faster. */
  readonly isDurable?: boolean | undefined;
  /** A data directory of etcd to begin with, such as one that was restored from a backup. It is copied. */
  readonly data?: string | undefined;
}

const ACCOUNT_CONTROLLER = 'serviceaccount-controller';

/** Whether somebody makes service accounts: else the plugin of that name would refuse every pod. */
export function hasServiceAccounts({ controllers = false }: KubernetesOptions): boolean {
  return typeof controllers === 'boolean' ? controllers : controllers.includes(ACCOUNT_CONTROLLER);
}

/** The controllers to run, as the controller manager wants them named, if any. */
export function namedControllers({ controllers = false }: KubernetesOptions): string | undefined {
  if (typeof controllers === 'boolean') return controllers ? '*' : undefined;
  return controllers.length === 0 ? undefined : controllers.join(',');
}
