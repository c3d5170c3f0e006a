import { defaultAggregatesSettings } from '../aggregates/aggregates-settings.ts';
import { defaultHypervisorSettings } from '../hypervisor/hypervisor-settings.ts';
import {
  choice,
  milliseconds,
  onOff,
  openSwitch,
  optionalText,
  section,
  text,
  texts,
  type Section,
} from './config-section.ts';
import {
  aggregatesSection,
  certificateSection,
  hypervisorSection,
  maintenanceSection,
  nodeLifecycleSection,
  offboardingSection,
  readySection,
  taintSection,
  traitsSection,
} from './controller-sections.ts';
import { evictionSection } from './eviction-section.ts';
import { onboardingSection } from './onboarding-section.ts';
import { openStackSection } from './openstack-section.ts';
import type { OperatorConfig } from './operator-config.ts';
import { virtualMachinesSection } from './virtual-machines-section.ts';

/** All settings of an operator. */
export const operatorSection: Section<OperatorConfig> = section({
  kubeconfig: optionalText(
    '',
    'how to reach the API server; else KUBECONFIG, ~/.kube/config, or the service account of the pod',
  ),
  agentNamespaces: texts([], 'where the pods run that must be gone before a host is offboarded; required', 0),
  labelSelector: optionalText('', 'the nodes and hypervisors that this operator is for; empty: all'),
  leaderElect: openSwitch('let one of several operators lead, by a Lease; if not said, where it runs as a pod'),
  leaseNamespace: optionalText('', 'where that Lease lives; else the namespace of the pod or of the kubeconfig'),
  metricsBindAddress: text('0', 'address and port of /metrics, /healthz and /readyz, such as :8080; 0 is nowhere'),
  metricsSecure: onOff(false, 'not offered: put a proxy such as kube-rbac-proxy in front'),
  healthProbeBindAddress: text(':8081', 'address and port of /healthz and /readyz alone; 0 is nowhere'),
  enableHttp2: onOff(false, 'without effect: HTTP/1.1 is all that is served'),
  stopTimeoutMs: milliseconds(20_000, 'how long, in ms, what is under way may go on when the operator stops'),
  discoveryMs: milliseconds(300_000, 'how often, in ms, to look whether OVSNodes are served by now'),
  testAggregate: text(defaultAggregatesSettings.testAggregate, 'the aggregate that hosts are in while they are tested'),
  transferLabels: texts(
    defaultHypervisorSettings.transferLabels,
    'labels that Hypervisors and Evictions get from the node; the keys of labelSelector are among them',
  ),
  hypervisor: hypervisorSection,
  onboarding: onboardingSection,
  maintenance: maintenanceSection,
  eviction: evictionSection,
  aggregates: aggregatesSection,
  traits: traitsSection,
  offboarding: offboardingSection,
  ready: readySection,
  taint: taintSection,
  certificate: certificateSection,
  nodeLifecycle: nodeLifecycleSection,
  compute: choice(
    ['openstack', 'virtual-machines'],
    'openstack',
    'what runs the instances: an OpenStack, or the VirtualMachines of this cluster',
  ),
  openstack: openStackSection,
  virtualMachines: virtualMachinesSection,
  log: section({
    level: choice(['debug', 'info', 'warn', 'error', 'silent'], 'info', 'what is worth a line on the standard error'),
    format: choice(['json', 'pretty'], 'json', 'for programs or for people'),
  }),
});
