/** What `version` answers: `ovs-vswitchd (Open vSwitch) 3.1.0`. */
export interface DaemonVersion {
  readonly program: string;
  readonly version: string;
}
