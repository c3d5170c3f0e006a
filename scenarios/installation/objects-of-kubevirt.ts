const PREFIX = 'kubevirt.io';

/** The names of KubeVirt's workloads, whose pods are found by one label. */
function workload(kind: 'Deployment' | 'DaemonSet', name: string): string {
  const labels = `{ ${PREFIX}: ${name} }`;
  return `
apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name}, namespace: kubevirt, labels: ${labels} }
spec:
  selector: { matchLabels: ${labels} }
  template:
    metadata: { labels: ${labels} }
    spec: { containers: [{ name: ${name}, image: kubevirt.example/${name} }] }`;
}

function webhooks(kind: string, name: string, hook: string, resource: string): string {
  return `
apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}
metadata: { name: ${name} }
webhooks:
  - name: ${hook}
    sideEffects: None
    admissionReviewVersions: [v1]
    failurePolicy: Fail
    clientConfig: { service: { name: virt-api, namespace: kubevirt, path: /${resource} } }
    rules: [{ apiGroups: [snapshot.kubevirt.io], apiVersions: [v1beta1], resources: [${resource}], operations: [CREATE] }]`;
}

/** A KubeVirt as virt-operator leaves it in a cluster, as far as its names are those of ours. */
export const OBJECTS_OF_KUBEVIRT: string = [
  `
apiVersion: v1
kind: Namespace
metadata: { name: kubevirt }`,
  workload('Deployment', 'virt-operator'),
  workload('Deployment', 'virt-api'),
  workload('Deployment', 'virt-controller'),
  workload('DaemonSet', 'virt-handler'),
  `
apiVersion: v1
kind: Service
metadata: { name: virt-api, namespace: kubevirt }
spec: { selector: { ${PREFIX}: virt-api }, ports: [{ port: 443, targetPort: 8443 }] }`,
  webhooks('ValidatingWebhookConfiguration', 'virt-api-validator', 'snapshots.kubevirt.io', 'virtualmachinesnapshots'),
  webhooks('MutatingWebhookConfiguration', 'virt-api-mutator', 'restores.kubevirt.io', 'virtualmachinerestores'),
  `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: virtualmachines.kubevirt.io }
spec:
  group: kubevirt.io
  scope: Namespaced
  names: { kind: VirtualMachine, plural: virtualmachines, singular: virtualmachine, shortNames: [vm, vms], categories: [all] }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }`,
].join('\n---');

/** One that somebody has stopped, with what only KubeVirt knows in it. */
export const MACHINE_OF_KUBEVIRT = `
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: { name: shop, namespace: default, annotations: { kubevirt.io/latest-observed-api-version: v1 } }
spec:
  runStrategy: Halted
  template:
    spec:
      domain: { devices: { disks: [{ name: root, disk: { bus: virtio } }] }, memory: { guest: 1Gi } }
      volumes: [{ name: root, persistentVolumeClaim: { claimName: shop } }]`;
