/** What `smalt virt-api` is told. */
export interface VirtApiConfig {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly service: string;
  readonly secret: string;
  readonly listen: string;
  readonly serve: {
    readonly listen: string;
    readonly certificate: string;
    readonly key: string;
    readonly authority: string;
    readonly names: readonly string[];
  };
  readonly handlers: {
    readonly audience: string;
    readonly account: string;
    readonly tokenFile: string;
    readonly mostStreams: number;
  };
  readonly controlPlane: {
    readonly api: readonly string[];
    readonly controller: readonly string[];
    readonly handler: readonly string[];
  };
  readonly machines: {
    readonly hypervisor: string;
    readonly allowedHypervisors: readonly string[];
    readonly featureGates: readonly string[];
    readonly disabledFeatureGates: readonly string[];
    readonly evictionStrategy: string;
    readonly networkInterface: string;
    readonly permitsBridgeOnPodNetwork: boolean;
    readonly rolloutStrategy: string;
    readonly cpuModel: string;
    readonly cpuRequest: string;
    readonly maxHotplugRatio: number;
  };
  readonly log: { readonly level: string; readonly format: string };
}
