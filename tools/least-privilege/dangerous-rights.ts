import type { DangerousRight } from './forbidden-rights.ts';

/** The rights of accounts by which one could become more than it is, and why each is there all the same. */
export const DANGEROUS_RIGHTS: readonly DangerousRight[] = [
  {
    right: 'smalt-console: impersonate hypervisors/highavailability of kvm.cloud.sap',
    reason: 'counts at the HA service alone, which then asks what the user may do; the API server knows no such user',
  },
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
    reason: 'tokens of itself alone, one for the handler of each node, so that no handler can show it to another',
  },
  {
    right: 'smalt-virt-api: patch mutatingwebhookconfigurations of admissionregistration.k8s.io named virt-api-mutator',
    reason: 'it tells the API server whom to believe when it makes its own certificate: its own configuration alone',
  },
  {
    right:
      'smalt-virt-api: patch validatingwebhookconfigurations of admissionregistration.k8s.io named virt-api-validator',
    reason: 'it tells the API server whom to believe when it makes its own certificate: its own configuration alone',
  },
];
