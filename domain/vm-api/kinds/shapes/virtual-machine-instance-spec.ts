import { atomicListOf, int64, keyedListOf, listOf, mapOf, of, shape, text } from '@smalt/kind';
import type { TSchema } from 'typebox';

import { accessCredential } from './access-credentials.ts';
import { domainSpec } from './domain.ts';
import { podDNSConfig } from './kubernetes-references.ts';
import { affinity, toleration, topologySpreadConstraint } from './kubernetes-scheduling.ts';
import { network } from './network.ts';
import { probe } from './probe.ts';
import { templateMetadata } from './template-metadata.ts';
import { utilityVolume, volume } from './volume.ts';

const virtualMachineInstanceResourceClaim: TSchema = shape({
  name: 'VirtualMachineInstanceResourceClaim',
  description: 'A resource claim that devices are taken from.',
  required: ['name'],
  fields: {
    name: text('Its name in this list.'),
    resourceClaimName: text('The name of the claim.'),
    resourceClaimTemplateName: text('The name of the template that a claim is made from.'),
  },
});

export const virtualMachineInstanceSpec: TSchema = shape({
  name: 'VirtualMachineInstanceSpec',
  description: 'The virtual machine that is wanted.',
  required: ['domain'],
  fields: {
    accessCredentials: atomicListOf(accessCredential, 'Credentials that are put into the guest.', { maxItems: 256 }),
    affinity: of(affinity, 'Where it may and should be placed.'),
    architecture: text('`amd64`, `arm64` or `s390x`.'),
    dnsConfig: of(podDNSConfig, 'How names are resolved.'),
    dnsPolicy: text('Where the rest of the name resolution comes from, such as `ClusterFirst`.'),
    domain: of(domainSpec, 'The machine that the guest sees.'),
    evictionStrategy: text(
      'What a drain of its node does: `None`, `LiveMigrate`, `LiveMigrateIfPossible` or `External`.',
    ),
    hostname: text('The name of the guest; that of the object when not set.'),
    hypervisor: text('The driver that runs it: `qemu-kvm`, `qemu`, `cloud-hypervisor`, `lxc` or `test`.', {
      maxLength: 63,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
    }),
    livenessProbe: of(probe, 'Stops the guest when it fails.'),
    networks: listOf(network, 'The networks that interfaces are connected to.', { maxItems: 256 }),
    nodeSelector: mapOf(text(''), 'Labels that its node must have.'),
    priorityClassName: text('Its priority class.'),
    readinessProbe: of(probe, 'The guest gets traffic while it succeeds.'),
    resourceClaims: keyedListOf(
      { item: virtualMachineInstanceResourceClaim, keys: ['name'] },
      'Resource claims that devices are taken from.',
    ),
    schedulerName: text('The scheduler that places it.'),
    serviceAccountName: text('The service account of its launcher.'),
    startStrategy: text('`Paused`: it is started but does not run yet.'),
    subdomain: text('The subdomain of its name.'),
    terminationGracePeriodSeconds: int64(
      'How long the guest may take to shut down; 30 when not set, 0 stops it at once.',
    ),
    tolerations: listOf(toleration, 'Taints of nodes that do not keep it away.'),
    topologySpreadConstraints: keyedListOf(
      { item: topologySpreadConstraint, keys: ['topologyKey', 'whenUnsatisfiable'] },
      'How evenly such virtual machines are spread.',
    ),
    utilityVolumes: keyedListOf(
      { item: utilityVolume, keys: ['name'] },
      'Volumes for the launcher, not for the guest.',
      { maxItems: 256 },
    ),
    volumes: listOf(volume, 'The volumes it uses.', { maxItems: 256 }),
  },
});

export const virtualMachineInstanceTemplateSpec: TSchema = shape({
  name: 'VirtualMachineInstanceTemplateSpec',
  description: 'What instances are made from.',
  fields: {
    metadata: of(templateMetadata, 'The metadata of the instances.'),
    spec: of(virtualMachineInstanceSpec, 'The virtual machine that is wanted.'),
  },
});
