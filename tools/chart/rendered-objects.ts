import { parseAllDocuments } from 'yaml';

/** An object of a rendered chart, as far as it is looked at. */
export interface RenderedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  /** Of a role. */
  readonly rules?: readonly RenderedRule[];
  /** Of a binding. */
  readonly subjects?: readonly { readonly name: string }[];
}

interface RenderedRule {
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

export interface RenderedContainer {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly RenderedVariable[];
  readonly lifecycle?: unknown;
  readonly securityContext?: {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
    readonly appArmorProfile?: { readonly type: string };
    readonly seLinuxOptions?: { readonly type: string };
  };
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly resources?: { readonly requests?: unknown; readonly limits?: Readonly<Record<string, string>> };
}

interface RenderedVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
}

interface RenderedVolume {
  readonly name: string;
  readonly secret?: { readonly secretName: string };
  readonly configMap?: { readonly name: string };
}

export interface RenderedPod {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken?: boolean;
  readonly hostNetwork?: boolean;
  readonly dnsPolicy?: string;
  readonly hostAliases?: unknown;
  readonly dnsConfig?: unknown;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly unknown[];
  readonly affinity?: unknown;
  readonly volumes?: readonly RenderedVolume[];
  readonly securityContext?: { readonly runAsNonRoot?: boolean; readonly seccompProfile?: { readonly type: string } };
  readonly initContainers?: readonly RenderedContainer[];
  readonly containers: readonly RenderedContainer[];
}

/** The objects of what helm printed. */
export function renderedObjects(text: string): readonly RenderedObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    for (const error of document.errors) throw error;
    const object: unknown = document.toJS();
    return isObject(object) ? [object] : [];
  });
}

/** The pods that an object makes: of a Deployment, a DaemonSet, a Job or a CronJob. */
export function podOf(object: RenderedObject): RenderedPod | undefined {
  const { spec } = object;
  const inner = fieldOf(fieldOf(spec, 'jobTemplate'), 'spec') ?? spec;
  const pod = fieldOf(fieldOf(inner, 'template'), 'spec');
  return isPod(pod) ? pod : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function isObject(value: unknown): value is RenderedObject {
  return typeof fieldOf(value, 'kind') === 'string' && typeof fieldOf(fieldOf(value, 'metadata'), 'name') === 'string';
}

function isPod(value: unknown): value is RenderedPod {
  return Array.isArray(fieldOf(value, 'containers'));
}
