import { packageOf } from './catalog.ts';
import type { Field, MessageType } from './message-type.ts';

const KINDS: Readonly<Record<string, string>> = {
  APIService: 'Tells the server which other server answers for a group and version.',
  Binding: 'Ties a pod to the node that it shall run on.',
  CertificateSigningRequest: 'Asks a signer for a certificate; somebody has to approve it.',
  ClusterRole: 'A set of permissions that can be given in one namespace or in all.',
  ClusterRoleBinding: 'Gives the permissions of a ClusterRole in all namespaces.',
  ConfigMap: 'Settings that are no secret, as texts and bytes under names.',
  ControllerRevision: 'A snapshot of the state of a controller, to which it can go back.',
  CronJob: 'Starts Jobs by the clock.',
  CSINode: 'The storage drivers that a node has.',
  CustomResourceDefinition: 'Adds a kind of object to the API.',
  DaemonSet: 'Runs one pod on every node that fits.',
  DeleteOptions: 'How an object is to be deleted.',
  Deployment: 'Keeps a number of equal pods running and replaces them step by step when they change.',
  EndpointSlice: 'A part of the addresses behind a Service.',
  Endpoints: 'The addresses behind a Service.',
  Event: 'Tells that something happened to an object.',
  Eviction: 'Asks for a pod to leave its node, if its disruption budgets allow that.',
  HorizontalPodAutoscaler: 'Changes the number of replicas by how busy they are.',
  Ingress: 'Leads HTTP requests from outside to Services.',
  IngressClass: 'A kind of ingress controller that Ingresses can ask for.',
  Job: 'Runs pods until enough of them have succeeded.',
  Lease: 'Says who holds something and until when, such as the leadership among replicas.',
  LimitRange: 'Limits and defaults for the resources of each object in a namespace.',
  LocalSubjectAccessReview: 'Asks whether somebody may do something in one namespace.',
  MutatingWebhookConfiguration: 'Webhooks that may change objects before they are stored.',
  Namespace: 'A scope for names.',
  NetworkPolicy: 'Says which traffic pods accept and send.',
  Node: 'A machine that runs pods.',
  PersistentVolume: 'A piece of storage of the cluster.',
  PersistentVolumeClaim: 'Asks for a piece of storage.',
  Pod: 'Containers that run together on one node.',
  PodDisruptionBudget: 'How many of a set of pods may be taken away at the same time.',
  PriorityClass: 'Gives a name to a priority of pods.',
  ReplicaSet: 'Keeps a number of equal pods running.',
  ReplicationController: 'Keeps a number of equal pods running; the older form of a ReplicaSet.',
  ResourceClaimTemplate: 'Makes a claim to devices for each pod that names it.',
  ResourceQuota: 'Limits what a namespace may use in total.',
  Role: 'A set of permissions in one namespace.',
  RoleBinding: 'Gives the permissions of a role in one namespace.',
  RuntimeClass: 'A way to run containers that pods can ask for.',
  Scale: 'How many replicas there are, and how many there should be.',
  Secret: 'Bytes under names that not everybody may read.',
  SelfSubjectAccessReview: 'Asks whether the caller may do something.',
  SelfSubjectReview: 'Asks who the caller is.',
  SelfSubjectRulesReview: 'Asks what the caller may do in a namespace.',
  Service: 'A name and an address for a set of pods.',
  ServiceAccount: 'An identity for what runs in pods.',
  StatefulSet: 'Runs pods that each have a name and storage of their own.',
  Status: 'The answer to a call that has no object to return.',
  StorageClass: 'A kind of storage that claims can ask for.',
  SubjectAccessReview: 'Asks whether somebody may do something.',
  TokenRequest: 'Asks for a token of a ServiceAccount.',
  TokenReview: 'Asks whom a token belongs to.',
  ValidatingAdmissionPolicy: 'Rules in CEL that objects must keep to be stored.',
  ValidatingAdmissionPolicyBinding: 'Says where a ValidatingAdmissionPolicy applies.',
  ValidatingWebhookConfiguration: 'Webhooks that may refuse objects before they are stored.',
  VolumeAttachment: 'Asks for a volume to be attached to a node.',
};

const FIELDS: Readonly<Record<string, string>> = {
  apiVersion: 'The group and version of this kind.',
  kind: 'The kind of this object.',
  metadata: 'Name, labels and the like.',
  spec: 'What is wanted.',
  status: 'What was found.',
  annotations: 'Texts that tools keep with the object.',
  conditions: 'Facts about the object that others wait for.',
  containers: 'The containers of the pod.',
  image: 'The image that the container runs.',
  labels: 'Short texts by which objects are selected.',
  name: 'The name.',
  namespace: 'The namespace.',
  replicas: 'How many.',
  selector: 'Selects by label.',
  template: 'What is made from this.',
};

/** A sentence about a kind; undefined for most messages inside of kinds. */
export function describeType(type: MessageType): string | undefined {
  if (type.isKind && Object.hasOwn(KINDS, type.name)) return KINDS[type.name];
  const item = type.name.replace(/List$/, '');
  if (type.isKind && item !== type.name && Object.hasOwn(packageOf(type.package).types, item))
    return `A list of ${item} objects.`;
  return undefined;
}

/** A sentence about a field that people ask for often. */
export function describeField(field: Field): string | undefined {
  return Object.hasOwn(FIELDS, field.name) ? FIELDS[field.name] : undefined;
}
