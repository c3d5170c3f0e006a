/** What `smalt ovs-agent` is told. */
export interface OvsAgentConfig {
  readonly node: string;
  readonly namespace: string;
  readonly kubeconfig: string;
  readonly state: string;
  readonly lock: string;
  readonly runDirectories: readonly string[];
  readonly root: string;
  readonly bridges: readonly string[];
  readonly disabledRules: readonly string[];
  readonly refreshSeconds: number;
  readonly controllerSeconds: number;
  readonly countersSeconds: number;
  readonly writesPerMinute: number;
  readonly answerSeconds: number;
  readonly scanSeconds: number;
  readonly southbound: {
    readonly read: boolean;
    readonly certificate: string;
    readonly key: string;
    readonly authority: string;
  };
  readonly libvirt: string;
  readonly listen: string;
  readonly troubleshoot: {
    readonly listen: string;
    readonly advertise: string;
    readonly certificate: string;
    readonly key: string;
    readonly authority: string;
    readonly audience: string;
    readonly tcpdump: readonly string[];
    readonly ip: readonly string[];
    readonly mostCaptures: number;
    readonly mostCaptureSeconds: number;
    readonly mostCaptureMebibytes: number;
  };
  readonly log: { readonly level: string; readonly format: string };
}
