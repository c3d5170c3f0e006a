import type { DetectionSettings } from '@smalt/failure-detection';
import type { InstanceRecoverySettings } from '@smalt/instance-recovery';
import type { RecoveryPolicy } from '@smalt/recovery-policy';
import type { LogLevel } from '@smalt/service-runtime';

import type { EngineSettings } from '../engine/engine-settings.ts';
import type { PowerSettings } from '../power/power-settings.ts';
import type { KdumpSettings } from '../sources/kdump/kdump-settings.ts';
import type { PullEndpoint } from '../sources/pull/pull-settings.ts';
import type { PushSettings } from '../sources/push/push-settings.ts';

/** The HTTPS server for agents and persons. */
export interface TlsSettings {
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly authority?: ToldAuthoritySettings;
}

/** Who signed the certificate, and where agents find that. */
export interface ToldAuthoritySettings {
  readonly file: string;
  /** Beside the Lease. It has to be there. */
  readonly configMap: string;
}

export interface KubernetesSettings {
  /** Empty: KUBECONFIG, ~/.kube/config, or the service account of the pod. */
  readonly kubeconfig: string;
  /** Empty: the namespace of the pod or of the kubeconfig. */
  readonly leaseNamespace: string;
  readonly leaseName: string;
  /** Whom tokens of the cluster have to be made for; empty: the API server itself. */
  readonly audience: string;
}

export type StoreSettings =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly urlFile: string; readonly authorityFile?: string };

export interface ComputeSettings {
  /** What runs the instances: an OpenStack, or this cluster by its VirtualMachines. The rest is for an OpenStack. */
  readonly kind: 'openstack' | 'virtual-machines';
  /** Which cloud of clouds.yaml; else OS_CLOUD, else the OS_* variables. */
  readonly cloud: string;
  /** A clouds.yaml to use and no other; empty: where OpenStack's tools look for it. */
  readonly cloudsFile: string;
  readonly allowsInsecure: boolean;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly mostRequests: number;
}

export interface ApiSettings {
  /** Names, roles and hashes of tokens; empty for none. */
  readonly tokensFile: string;
  readonly clientCertificates: ClientCertificateSettings;
  /** Asks the Kubernetes API who a token belongs to and what that one may do. */
  readonly asksKubernetes: boolean;
  /** Lets `POST /api/hypervisors/<host>` in without a name, as operators of before call it. */
  readonly allowsAnonymousSwitch: boolean;
  /** Has the leader answer what another replica is asked. */
  readonly asksLeader: boolean;
  /** By which other replicas find this one; empty for where it listens. */
  readonly ownHost: string;
  readonly timeoutMs: number;
  /** Of one caller. */
  readonly requestsPerSecond: number;
  /** Of one address, before it is known who asks; many callers may be behind it. */
  readonly requestsPerSecondOfAddress: number;
}

export interface ClientCertificateSettings {
  /** Who signs the certificates of persons; empty: they do not count. Not who signs those of agents. */
  readonly authorityFile: string;
  /** Common names. */
  readonly viewers: readonly string[];
  readonly operators: readonly string[];
}

export interface WebhookSettings {
  /** Names it in metrics, and in the store: where it goes on after a restart. */
  readonly name: string;
  readonly url: string;
  /** The secret of the signature. */
  readonly secretFile: string;
  /** Only these kinds of journal entries; all if empty. */
  readonly kinds: readonly string[];
  readonly leastSeverity: 'info' | 'warning' | 'critical';
  /** Who signs its certificate, beside the authorities of this system. */
  readonly authorityFile?: string;
  readonly timeoutMs: number;
}

/** How long what is over is kept. */
export interface RetentionSettings {
  readonly eventsMs: number;
  readonly journalMs: number;
  readonly incidentsMs: number;
  readonly intervalMs: number;
}

export interface LogSettings {
  readonly level: LogLevel;
  readonly format: 'json' | 'pretty';
}

/** Where signals come from. */
export interface SourcesSettings {
  readonly push: PushSettings;
  readonly pull: readonly PullEndpoint[];
  readonly kdump: KdumpSettings;
}

type EnginePace = Omit<EngineSettings, 'detection' | 'policy' | 'instanceRecovery'>;

/** Everything that `smalt ha-service` is told, in one file. */
export interface HaServiceSettings {
  /** Address and port of the HTTPS server. */
  readonly listen: string;
  /** Address and port of /metrics, /healthz and /readyz over plain HTTP; empty is nowhere. */
  readonly observabilityListen: string;
  readonly tls: TlsSettings;
  readonly kubernetes: KubernetesSettings;
  readonly store: StoreSettings;
  readonly compute: ComputeSettings;
  readonly sources: SourcesSettings;
  readonly fencing: PowerSettings;
  readonly detection: DetectionSettings;
  readonly policy: RecoveryPolicy;
  readonly instanceRecovery: InstanceRecoverySettings;
  readonly pace: EnginePace;
  readonly api: ApiSettings;
  readonly webhooks: readonly WebhookSettings[];
  readonly retention: RetentionSettings;
  readonly log: LogSettings;
}

/** What the leader goes by. */
export function engineSettings({ detection, policy, instanceRecovery, pace }: HaServiceSettings): EngineSettings {
  return { detection, policy, instanceRecovery, ...pace };
}
