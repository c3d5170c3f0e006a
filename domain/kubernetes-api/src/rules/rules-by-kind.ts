import { ageOnly } from '../columns/core-columns.ts';
import { controllerRevisionColumns } from '../columns/workload-columns.ts';
import * as access from './access-rules.ts';
import * as admission from './admission-rules.ts';
import * as autoscaler from './autoscaler-rules.ts';
import { certificateSigningRequestRules } from './certificate-rules.ts';
import { resourceClaimTemplateRules } from './claim-rules.ts';
import * as config from './config-rules.ts';
import { customResourceDefinitionRules } from './definition-rules.ts';
import * as event from './event-rules.ts';
import * as job from './job-rules.ts';
import type { KindRules } from './kind-rules.ts';
import { namespaceRules } from './namespace-rules.ts';
import * as network from './network-rules.ts';
import { nodeRules } from './node-rules.ts';
import * as other from './other-rules.ts';
import { podRules } from './pod-rules.ts';
import * as quota from './quota-rules.ts';
import * as service from './service-rules.ts';
import * as storage from './storage-rules.ts';
import * as workload from './workload-rules.ts';

const ADMISSION = 'admissionregistration.k8s.io/v1';
const RBAC = 'rbac.authorization.k8s.io/v1';

/** The rules of every built-in kind that has some, by `group/version/Kind`, the core group without its first part. */
export function rulesByKind(): ReadonlyMap<string, KindRules> {
  return new Map<string, KindRules>([
    ...coreRules(),
    ...workloadRules(),
    ['events.k8s.io/v1/Event', event.newEventRules],
    ['policy/v1/PodDisruptionBudget', other.podDisruptionBudgetRules],
    ['coordination.k8s.io/v1/Lease', other.leaseRules],
    ['scheduling.k8s.io/v1/PriorityClass', other.priorityClassRules],
    ['node.k8s.io/v1/RuntimeClass', other.runtimeClassRules],
    ['resource.k8s.io/v1/ResourceClaimTemplate', resourceClaimTemplateRules],
    [`${RBAC}/Role`, access.roleRules],
    [`${RBAC}/ClusterRole`, access.clusterRoleRules],
    [`${RBAC}/RoleBinding`, access.roleBindingRules],
    [`${RBAC}/ClusterRoleBinding`, access.clusterRoleBindingRules],
    ['certificates.k8s.io/v1/CertificateSigningRequest', certificateSigningRequestRules],
    [`${ADMISSION}/ValidatingWebhookConfiguration`, admission.validatingWebhookRules],
    [`${ADMISSION}/MutatingWebhookConfiguration`, admission.mutatingWebhookRules],
    [`${ADMISSION}/ValidatingAdmissionPolicy`, admission.admissionPolicyRules],
    [`${ADMISSION}/ValidatingAdmissionPolicyBinding`, admission.admissionPolicyBindingRules],
    ['apiextensions.k8s.io/v1/CustomResourceDefinition', customResourceDefinitionRules()],
    ['apiregistration.k8s.io/v1/APIService', other.apiServiceRules],
    ['authentication.k8s.io/v1/TokenRequest', other.tokenRequestRules],
    ['networking.k8s.io/v1/Ingress', network.ingressRules],
    ['networking.k8s.io/v1/IngressClass', network.ingressClassRules],
    ['networking.k8s.io/v1/NetworkPolicy', network.networkPolicyRules],
    ['discovery.k8s.io/v1/EndpointSlice', service.endpointSliceRules],
    ['storage.k8s.io/v1/StorageClass', storage.storageClassRules],
    ['storage.k8s.io/v1/CSINode', storage.csiNodeRules],
    ['storage.k8s.io/v1/VolumeAttachment', storage.volumeAttachmentRules],
  ]);
}

function coreRules(): readonly (readonly [string, KindRules])[] {
  return [
    ['v1/Binding', other.bindingRules],
    ['v1/Namespace', namespaceRules],
    ['v1/Node', nodeRules],
    ['v1/Pod', podRules],
    ['v1/ConfigMap', config.configMapRules],
    ['v1/Secret', config.secretRules],
    ['v1/ServiceAccount', { columns: ageOnly }],
    ['v1/Service', service.serviceRules],
    ['v1/Endpoints', service.endpointsRules],
    ['v1/Event', event.coreEventRules],
    ['v1/PersistentVolume', storage.persistentVolumeRules],
    ['v1/PersistentVolumeClaim', storage.persistentVolumeClaimRules],
    ['v1/ReplicationController', workload.replicationControllerRules],
    ['v1/ResourceQuota', quota.resourceQuotaRules],
    ['v1/LimitRange', quota.limitRangeRules],
  ];
}

function workloadRules(): readonly (readonly [string, KindRules])[] {
  return [
    ['apps/v1/Deployment', workload.deploymentRules],
    ['apps/v1/DaemonSet', workload.daemonSetRules],
    ['apps/v1/ReplicaSet', workload.replicaSetRules],
    ['apps/v1/StatefulSet', workload.statefulSetRules],
    ['apps/v1/ControllerRevision', { ...workload.controllerRevisionRules, columns: controllerRevisionColumns }],
    ['batch/v1/Job', job.jobRules],
    ['batch/v1/CronJob', job.cronJobRules],
    ['autoscaling/v1/HorizontalPodAutoscaler', autoscaler.autoscalerV1Rules],
    ['autoscaling/v2/HorizontalPodAutoscaler', autoscaler.autoscalerV2Rules],
    ['autoscaling/v1/Scale', autoscaler.scaleRules],
  ];
}
