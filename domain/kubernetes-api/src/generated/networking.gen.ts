// Written by 'npm run generate' from domain/kubernetes-api/schema. Change the schema or the generator instead.

import type { PackageSource } from '../message-type.ts';

export const networking: PackageSource = {
  key: "networking",
  component: "io.k8s.api.networking.v1",
  group: "networking.k8s.io",
  version: "v1",
  kinds: ["IngressClass ingressclasses cluster", "Ingress ingresses namespaced short=ing status", "NetworkPolicy networkpolicies namespaced short=netpol"],
  enumerations: {
    PathType: [],
    PolicyType: ["Egress", "Ingress"],
  },
  types: {
    HTTPIngressPath: "\npath 1 string\npathType 3 string=v1.PathType! * always required\nbackend 2 IngressBackend always required",
    HTTPIngressRuleValue: "\npaths 1 []HTTPIngressPath always required list=atomic",
    IPBlock: "\ncidr 1 string always required\nexcept 2 []string list=atomic",
    Ingress: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 IngressSpec always\nstatus 3 IngressStatus always",
    IngressBackend: "\nservice 4 IngressServiceBackend *\nresource 3 core/TypedLocalObjectReference *",
    IngressClass: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 IngressClassSpec always",
    IngressClassParametersReference: "\napiGroup 1 string *\nkind 2 string always required\nname 3 string always required\nscope 4 string * always\nnamespace 5 string *",
    IngressClassSpec: "\ncontroller 1 string\nparameters 2 IngressClassParametersReference *",
    IngressLoadBalancerIngress: "\nip 1 string\nhostname 2 string\nports 4 []IngressPortStatus list=atomic",
    IngressLoadBalancerStatus: "\ningress 1 []IngressLoadBalancerIngress list=atomic",
    IngressPortStatus: "\nport 1 int32 always required\nprotocol 2 string=v1.Protocol!core always required\nerror 3 string *",
    IngressRule: "\nhost 1 string\n- 2 IngressRuleValue inline",
    IngressRuleValue: "\nhttp 1 HTTPIngressRuleValue *",
    IngressServiceBackend: "\nname 1 string always required\nport 2 ServiceBackendPort always",
    IngressSpec: "\ningressClassName 4 string *\ndefaultBackend 1 IngressBackend *\ntls 2 []IngressTLS list=atomic\nrules 3 []IngressRule list=atomic",
    IngressStatus: "\nloadBalancer 1 IngressLoadBalancerStatus always",
    IngressTLS: "\nhosts 1 []string list=atomic\nsecretName 2 string",
    NetworkPolicy: "\nkind 0 string\napiVersion 0 string\nmetadata 1 meta/ObjectMeta always\nspec 2 NetworkPolicySpec always",
    NetworkPolicyEgressRule: "\nports 1 []NetworkPolicyPort list=atomic\nto 2 []NetworkPolicyPeer list=atomic",
    NetworkPolicyIngressRule: "\nports 1 []NetworkPolicyPort list=atomic\nfrom 2 []NetworkPolicyPeer list=atomic",
    NetworkPolicyPeer: "\npodSelector 1 meta/LabelSelector *\nnamespaceSelector 2 meta/LabelSelector *\nipBlock 3 IPBlock *",
    NetworkPolicyPort: "\nprotocol 1 string=v1.Protocol!core *\nport 2 intOrString *\nendPort 3 int32 *",
    NetworkPolicySpec: "\npodSelector 1 meta/LabelSelector always\ningress 2 []NetworkPolicyIngressRule list=atomic\negress 3 []NetworkPolicyEgressRule list=atomic\npolicyTypes 4 []string=v1.PolicyType! list=atomic",
    ServiceBackendPort: "atomic\nname 1 string\nnumber 2 int32",
  },
};
