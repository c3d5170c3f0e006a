import { defaultAggregatesSettings as aggregates } from '../aggregates/aggregates-settings.ts';
import {
  defaultCertificateSettings as certificate,
  type CertificateSettings,
} from '../certificate/certificate-settings.ts';
import { defaultHypervisorSettings as hypervisor } from '../hypervisor/hypervisor-settings.ts';
import { defaultMaintenanceSettings as maintenance } from '../maintenance/maintenance-settings.ts';
import {
  defaultNodeLifecycleSettings as nodeLifecycle,
  type NodeLifecycleSettings,
} from '../node-lifecycle/node-lifecycle-settings.ts';
import {
  defaultOffboardingSettings as offboarding,
  type OffboardingSettings,
} from '../offboarding/offboarding-settings.ts';
import { defaultReadySettings as ready, type ReadySettings } from '../ready/ready-settings.ts';
import { defaultTaintSettings as taint, type TaintSettings } from '../taint/taint-settings.ts';
import { defaultTraitsSettings as traits, type TraitsSettings } from '../traits/traits-settings.ts';
import {
  choice,
  concurrency,
  count,
  milliseconds,
  onOff,
  resync,
  section,
  text,
  type Section,
} from './config-section.ts';
import type { AggregatesConfig, HypervisorConfig, MaintenanceConfig } from './operator-config.ts';

const { newHypervisor } = hypervisor;

export const hypervisorSection: Section<HypervisorConfig> = section({
  concurrency: concurrency(hypervisor.concurrency),
  newHypervisor: section({
    highAvailability: onOff(newHypervisor.highAvailability, 'what spec.highAvailability of a new Hypervisor is'),
    evacuateOnReboot: onOff(newHypervisor.evacuateOnReboot, 'what its spec.evacuateOnReboot is'),
    installCertificate: onOff(newHypervisor.installCertificate, 'what its spec.installCertificate is'),
    createCertManagerCertificate: onOff(
      newHypervisor.createCertManagerCertificate,
      'what its spec.createCertManagerCertificate is',
    ),
    lifecycleEnabled: onOff(
      newHypervisor.lifecycleEnabled,
      'what its spec.lifecycleEnabled is where its node does not say it',
    ),
    skipTests: onOff(newHypervisor.skipTests, 'what its spec.skipTests is where its node does not say it'),
    reboot: onOff(newHypervisor.reboot, 'what its spec.reboot is'),
  }),
  agentPodsPollMs: milliseconds(hypervisor.agentPodsPollMs, 'how often, in ms, to look at agent pods that still run'),
  podPageSize: count(hypervisor.podPageSize, 'how many pods are asked for at a time'),
});

export const maintenanceSection: Section<MaintenanceConfig> = section({
  concurrency: concurrency(maintenance.concurrency),
  resyncMs: resync(maintenance.resyncMs),
  confirmMs: milliseconds(
    maintenance.confirmMs,
    'how soon, in ms, to look once more at a compute service that seemed to be as wanted already',
  ),
  evictionReason: text(maintenance.evictionReason, 'spec.reason of the Evictions that the operator makes'),
  respectForeignDisable: onOff(
    maintenance.respectForeignDisable,
    'leave a compute service disabled that somebody else has disabled, while there is no maintenance',
  ),
});

export const aggregatesSection: Section<AggregatesConfig> = section({
  concurrency: concurrency(aggregates.concurrency),
  resyncMs: resync(aggregates.resyncMs),
  keepForeign: onOff(aggregates.keepForeign, 'leave hosts in aggregates that only others have put them in'),
});

export const traitsSection: Section<TraitsSettings> = section({
  concurrency: concurrency(traits.concurrency),
  resyncMs: resync(traits.resyncMs),
  conflictAttempts: count(traits.conflictAttempts, 'how many times a write is tried at once when others are quicker'),
  keepForeign: onOff(traits.keepForeign, 'leave custom traits that the spec never asked for'),
});

export const offboardingSection: Section<OffboardingSettings> = section({
  concurrency: concurrency(offboarding.concurrency),
  retryMs: milliseconds(offboarding.retryMs, 'how soon, in ms, to ask again whether the compute system lets a host go'),
  resyncMs: resync(offboarding.resyncMs),
});

export const certificateSection: Section<CertificateSettings> = section({
  when: choice(
    ['auto', 'always', 'never'],
    certificate.when,
    'whether hosts get certificates; auto: where cert-manager is installed',
  ),
  namespace: text(certificate.namespace, 'where the Certificates live'),
  issuerName: text(certificate.issuerName, 'who signs them'),
  issuerKind: text(certificate.issuerKind, 'what kind the issuer is of'),
  issuerGroup: text(certificate.issuerGroup, 'what group that kind is of'),
  organization: text(certificate.organization, 'the organization in their subject'),
  durationMs: milliseconds(certificate.durationMs, 'how long, in ms, they are good for'),
  renewBeforeMs: milliseconds(certificate.renewBeforeMs, 'how long before their end, in ms, they are renewed'),
  keyAlgorithm: choice(['RSA', 'ECDSA', 'Ed25519'], certificate.keyAlgorithm, 'what their keys are'),
  keySize: count(certificate.keySize, 'how many bits a key has; Ed25519 has its own'),
  isCertSign: onOff(certificate.isCertSign, 'let them sign others; some existing fleets have it so'),
  concurrency: concurrency(certificate.concurrency),
  resyncMs: resync(certificate.resyncMs),
});

export const nodeLifecycleSection: Section<NodeLifecycleSettings> = section({
  when: choice(
    ['auto', 'always', 'never'],
    nodeLifecycle.when,
    'which nodes get a pod that holds back their drain; auto: those that Gardener made',
  ),
  namespace: text(nodeLifecycle.namespace, 'where these pods run'),
  image: text(nodeLifecycle.image, 'their image, with /bin/sh, /bin/true and /bin/false'),
  concurrency: concurrency(nodeLifecycle.concurrency),
});

export const taintSection: Section<TaintSettings> = section({
  concurrency: concurrency(taint.concurrency),
  manualManagerPrefix: text(taint.manualManagerPrefix, 'how field managers begin that stand for a change by hand'),
});

export const readySection: Section<ReadySettings> = section({
  concurrency: concurrency(ready.concurrency),
  followsLibvirt: onOff(ready.followsLibvirt, 'a host whose libvirt is not reached is not ready'),
  followsNetwork: onOff(ready.followsNetwork, 'a host whose OVSNode is not ready is not ready'),
  graceMs: milliseconds(ready.graceMs, 'for how long, in ms, that is put up with'),
});
