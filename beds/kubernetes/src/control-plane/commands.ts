import { join } from 'node:path';

import type { KubernetesPrograms } from '../kubernetes-programs.ts';
import type { ControlPlanePlace } from './control-plane-place.ts';
import { hasServiceAccounts, namedControllers, type KubernetesOptions } from './kubernetes-options.ts';
import { FRONT_PROXY_USER, type Keys } from './make-keys.ts';

/** Everything that the commands of a control plane follow from. */
export interface ControlPlaneSettings {
  readonly programs: KubernetesPrograms;
  readonly place: ControlPlanePlace;
  readonly keys: Keys;
  readonly options: KubernetesOptions;
  /** Where etcd has its data. */
  readonly etcdDirectory: string;
  /** Whether this etcd is one that cannot be asked how far it is. */
  readonly isOldEtcd: boolean;
}

export const SERVICE_RANGE = '10.96.0.0/16';
/** The first of the range: Kubernetes gives it to the Service of its own API. */
export const API_SERVICE_ADDRESS = '10.96.0.1';

export function etcdUrl({ scheme, address, ports }: ControlPlanePlace): string {
  return `${scheme}://${address}:${ports.etcd}`;
}

export function etcdCommand(settings: ControlPlaneSettings): readonly string[] {
  const { programs, place, keys } = settings;
  const client = etcdUrl(place);
  const peer = `${place.scheme}://${place.address}:${place.ports.etcdPeer}`;
  const files = (role: string, isKeyed: boolean): readonly string[] =>
    isKeyed
      ? [
          `--${role}cert-file=${keys.etcd.certificatePath}`,
          `--${role}key-file=${keys.etcd.keyPath}`,
          `--${role}trusted-ca-file=${keys.authority}`,
          `--${role}client-cert-auth`,
        ]
      : [];
  const isKeyed = place.scheme === 'https';
  return [
    programs.etcd,
    '--name=bed',
    `--data-dir=${settings.etcdDirectory}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=bed=${peer}`,
    // kube-apiserver waits to hear how far it is with each watch that begins with a list.
    ...(settings.isOldEtcd ? ['--experimental-watch-progress-notify-interval=100ms'] : []),
    ...files('', isKeyed),
    ...files('peer-', isKeyed),
  ];
}

export function apiserverCommand(settings: ControlPlaneSettings): readonly string[] {
  const { programs, place, keys, options } = settings;
  return [
    programs.apiserver,
    `--bind-address=${place.address}`,
    `--advertise-address=${place.address}`,
    `--secure-port=${place.ports.apiserver}`,
    `--etcd-servers=${etcdUrl(place)}`,
    `--authorization-mode=${namedControllers(options) === undefined ? 'RBAC' : 'Node,RBAC'}`,
    `--token-auth-file=${keys.tokenFile}`,
    `--client-ca-file=${keys.authority}`,
    `--tls-cert-file=${keys.certificate}`,
    `--tls-private-key-file=${keys.key}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${keys.accountKey}`,
    `--service-account-signing-key-file=${keys.accountKey}`,
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    '--allow-privileged=true',
    ...aggregationFlags(keys),
    ...placeFlags(place, keys),
    ...admissionFlags(place, options),
    ...auditFlags(place.directory, options),
    ...gateFlags(options),
    ...(options.flags ?? []),
  ];
}

function aggregationFlags({ frontProxy }: Keys): readonly string[] {
  return [
    `--requestheader-client-ca-file=${frontProxy.authority}`,
    `--requestheader-allowed-names=${FRONT_PROXY_USER}`,
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${frontProxy.certificatePath}`,
    `--proxy-client-key-file=${frontProxy.keyPath}`,
  ];
}

function placeFlags({ hasNodes, scheme }: ControlPlanePlace, keys: Keys): readonly string[] {
  const { apiserver, authority } = keys;
  const etcd =
    scheme === 'https'
      ? [
          `--etcd-cafile=${authority}`,
          `--etcd-certfile=${apiserver.certificatePath}`,
          `--etcd-keyfile=${apiserver.keyPath}`,
        ]
      : [];
  if (!hasNodes) {
    // Nobody forwards what is sent to a Service here, so its endpoints are called, and a loopback is no endpoint.
    return [...etcd, '--enable-aggregator-routing=true', '--endpoint-reconciler-type=none'];
  }
  return [
    ...etcd,
    '--kubelet-preferred-address-types=InternalIP',
    `--kubelet-client-certificate=${apiserver.certificatePath}`,
    `--kubelet-client-key=${apiserver.keyPath}`,
  ];
}

/** As strict as clusters come: some, OpenShift among them, ask who makes an object that others wait for whether he may. */
function admissionFlags({ hasNodes }: ControlPlanePlace, options: KubernetesOptions): readonly string[] {
  const further = ['OwnerReferencesPermissionEnforcement', ...(hasNodes ? ['NodeRestriction'] : [])];
  const without = hasServiceAccounts(options) ? [] : ['--disable-admission-plugins=ServiceAccount'];
  return [`--enable-admission-plugins=${further.join(',')}`, ...without];
}

/** Where the API server writes what it was asked. */
export function auditPolicyPath(directory: string): string {
  return join(directory, 'audit-policy.json');
}

/** Each request once, when it was answered, without what was sent; but for who asked what somebody else may do. */
export const AUDIT_POLICY: string = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    {
      level: 'RequestResponse',
      resources: [{ group: 'authorization.k8s.io', resources: ['subjectaccessreviews'] }],
    },
    { level: 'Metadata' },
  ],
});

function auditFlags(directory: string, { audit = false }: KubernetesOptions): readonly string[] {
  if (!audit) return [];
  return [
    `--audit-policy-file=${auditPolicyPath(directory)}`,
    `--audit-log-path=${join(directory, 'audit.log')}`,
    // A line is there before its answer is.
    '--audit-log-mode=blocking',
  ];
}

function gateFlags({ featureGates = {} }: KubernetesOptions): readonly string[] {
  const gates = Object.entries(featureGates).map(([name, isOn]) => `${name}=${isOn}`);
  return gates.length === 0 ? [] : [`--feature-gates=${gates.join(',')}`];
}

function servingFlags({ address }: ControlPlanePlace, port: number, keys: Keys): readonly string[] {
  return [
    `--bind-address=${address}`,
    `--secure-port=${port}`,
    `--tls-cert-file=${keys.certificate}`,
    `--tls-private-key-file=${keys.key}`,
    // There is one of each.
    '--leader-elect=false',
  ];
}

export function controllerManagerCommand(settings: ControlPlaneSettings, kubeconfig: string): readonly string[] {
  const { programs, place, keys, options } = settings;
  return [
    programs.controllerManager,
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    ...servingFlags(place, place.ports.controllerManager, keys),
    `--controllers=${namedControllers(options) ?? ''}`,
    // Each controller may do what its own role lets it, as on any cluster.
    '--use-service-account-credentials=true',
    `--service-account-private-key-file=${keys.accountKey}`,
    `--root-ca-file=${keys.authority}`,
    `--cluster-signing-cert-file=${keys.authority}`,
    `--cluster-signing-key-file=${keys.authorityKey}`,
    `--service-cluster-ip-range=${SERVICE_RANGE}`,
    ...gateFlags(options),
    ...(options.controllerFlags ?? []),
  ];
}

export function schedulerCommand(settings: ControlPlaneSettings, kubeconfig: string): readonly string[] {
  const { programs, place, keys, options } = settings;
  return [
    programs.scheduler,
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    ...servingFlags(place, place.ports.scheduler, keys),
    ...gateFlags(options),
  ];
}
