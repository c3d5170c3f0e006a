/** Where the kinds of the probes are. */
export const CONFIG_MAPS = '/api/v1/namespaces/{ns}/configmaps';
export const SECRETS = '/api/v1/namespaces/{ns}/secrets';
export const PODS = '/api/v1/namespaces/{ns}/pods';
export const SERVICES = '/api/v1/namespaces/{ns}/services';
export const EVENTS = '/api/v1/namespaces/{ns}/events';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/{ns}/deployments';
export const LEASES = '/apis/coordination.k8s.io/v1/namespaces/{ns}/leases';
export const ROLES = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles';
export const ROLE_BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings';
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const MACHINES = '/apis/{group}/v1/namespaces/{ns}/machines';
