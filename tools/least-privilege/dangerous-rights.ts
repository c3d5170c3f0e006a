import type { DangerousRight } from './forbidden-rights.ts';

const DRAINS =
  'with hypervisorOperator.gardener alone: a Deployment for each node holds back its drain; that is the whole cluster, as its pods may be anything';
const LIBVIRT_KEYS =
  'a role cannot say which Secret is whose node: so each node agent reads the libvirt keys of all nodes, which docs/install/security.md says';
const OWN_SECRET =
  'a Secret cannot be made by name alone; a policy refuses all but its own ones, and those in which Kubernetes would put a token';
const TRUST =
  'it tells the API server whom to believe when it makes its own certificate; a policy refuses any change but that of caBundle';

/** The rights by which an account reads many secrets or could become more than it is, and why each is there all the same. */
export const DANGEROUS_RIGHTS: readonly DangerousRight[] = [
  { right: 'smalt-certificates: create secrets in smalt-system', reason: OWN_SECRET },
  {
    right: 'smalt-certificates: create secrets in smalt-libvirt',
    reason:
      'the keys of nodes; a policy refuses all others, and those in which Kubernetes would put a token of that namespace',
  },
  {
    right: 'smalt-certificates: list secrets in smalt-libvirt',
    reason: 'it has made all that are there, and holds the authority that has signed them',
  },
  {
    right: 'smalt-console: impersonate hypervisors/highavailability of kvm.cloud.sap',
    reason: 'counts at the HA service alone, which then asks what the user may do; the API server knows no such user',
  },
  { right: 'smalt-hypervisor-operator: create deployments of apps in kube-system', reason: DRAINS },
  { right: 'smalt-hypervisor-operator: patch deployments of apps in kube-system', reason: DRAINS },
  { right: 'smalt-node-agent: list secrets in smalt-libvirt', reason: LIBVIRT_KEYS },
  { right: 'smalt-node-agent: watch secrets in smalt-libvirt', reason: LIBVIRT_KEYS },
  {
    right: 'smalt-pod-runner: get secrets',
    reason: 'it mounts them, as a kubelet does; a role cannot say which are those of the pods of its node',
  },
  {
    right: 'smalt-pod-runner: create serviceaccounts/token',
    reason:
      'it mounts them, as a kubelet does; a policy refuses all that are not bound to a pod, and those of the control plane',
  },
  {
    right: 'smalt-virt-api: create serviceaccounts/token named smalt-virt-api in smalt-system',
    reason:
      'tokens of itself, one for the handler of each node; a policy refuses all that are for the API server, or for longer than ten minutes',
  },
  { right: 'smalt-virt-api: create secrets in smalt-system', reason: OWN_SECRET },
  {
    right: 'smalt-virt-api: patch apiservices of apiregistration.k8s.io named v1.subresources.kubevirt.io',
    reason: TRUST,
  },
  {
    right: 'smalt-virt-api: patch apiservices of apiregistration.k8s.io named v1alpha3.subresources.kubevirt.io',
    reason: TRUST,
  },
  {
    right: 'smalt-virt-api: patch mutatingwebhookconfigurations of admissionregistration.k8s.io named virt-api-mutator',
    reason: TRUST,
  },
  {
    right:
      'smalt-virt-api: patch validatingwebhookconfigurations of admissionregistration.k8s.io named virt-api-validator',
    reason: TRUST,
  },
  {
    right: 'smalt-virt-controller: create pods',
    reason:
      'launchers, in the namespaces of their machines: whoever has its token has the cluster, so it runs on no hypervisor if that can be helped',
  },
];
