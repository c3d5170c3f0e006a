import { CLUSTER_DOMAIN, DNS_ADDRESS } from './addresses.ts';
import { DNS_IMAGE } from './cluster-images.ts';

const NAMESPACE = 'kube-system';
const NAME = 'coredns';
const LABELS = { 'k8s-app': 'kube-dns' } as const;

/** An object, and the collection that it is posted to. */
export interface Posted {
  readonly path: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** Where the Deployment is read. */
export const DNS_DEPLOYMENT_PATH: string = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments/${NAME}`;

// Names that are not of the cluster do not exist: there is no way out, so there is nobody to ask.
const COREFILE = `${CLUSTER_DOMAIN}:53 in-addr.arpa:53 ip6.arpa:53 {
    errors
    health
    ready
    kubernetes ${CLUSTER_DOMAIN} in-addr.arpa ip6.arpa {
        pods insecure
        ttl 5
    }
}
.:53 {
    template ANY ANY {
        rcode NXDOMAIN
    }
}
`;

/** All that makes names of Services resolve in pods. */
export function dnsObjects(): readonly Posted[] {
  const rules = [
    { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
  ];
  const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: NAME };
  const subjects = [{ kind: 'ServiceAccount', name: NAME, namespace: NAMESPACE }];
  const ports = [
    { name: 'dns', port: 53, protocol: 'UDP' },
    { name: 'dns-tcp', port: 53, protocol: 'TCP' },
  ];
  const service = { clusterIP: DNS_ADDRESS, selector: LABELS, ports };
  return [
    { path: `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, object: named({}) },
    { path: '/apis/rbac.authorization.k8s.io/v1/clusterroles', object: named({ rules }) },
    { path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', object: named({ roleRef: role, subjects }) },
    { path: `/api/v1/namespaces/${NAMESPACE}/configmaps`, object: named({ data: { Corefile: COREFILE } }) },
    { path: `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`, object: named({ spec: deploymentSpec() }) },
    { path: `/api/v1/namespaces/${NAMESPACE}/services`, object: named({ spec: service }, 'kube-dns') },
  ];
}

function named(rest: Readonly<Record<string, unknown>>, name: string = NAME): Readonly<Record<string, unknown>> {
  return { metadata: { name }, ...rest };
}

function deploymentSpec(): object {
  const container = {
    name: NAME,
    image: DNS_IMAGE,
    imagePullPolicy: 'Never',
    args: ['-conf', '/etc/coredns/Corefile'],
    ports: [{ containerPort: 53, protocol: 'UDP' }],
    readinessProbe: { httpGet: { path: '/ready', port: 8181 }, periodSeconds: 1 },
    volumeMounts: [{ name: 'config', mountPath: '/etc/coredns', readOnly: true }],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] },
    },
  };
  const spec = {
    serviceAccountName: NAME,
    dnsPolicy: 'Default',
    priorityClassName: 'system-cluster-critical',
    containers: [container],
    volumes: [{ name: 'config', configMap: { name: NAME } }],
  };
  return { selector: { matchLabels: LABELS }, template: { metadata: { labels: LABELS }, spec } };
}
