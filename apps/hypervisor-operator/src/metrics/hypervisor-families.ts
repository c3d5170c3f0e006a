import type { Hypervisor } from '@smalt/fleet-api';
import { isQuantity, parseQuantity, quantityAsApproximateFloat } from '@smalt/quantity';

import { conditionValues } from './condition-values.ts';
import { presentLabels } from './present-labels.ts';
import type { ScrapedFamily } from './scraped-family.ts';

const ZONE_LABEL = 'topology.kubernetes.io/zone';
const BUILDING_BLOCK_LABEL = 'kubernetes.metal.cloud.sap/bb';
const WORKER_GROUP_LABEL = 'worker.garden.sapcloud.io/group';

/** Where an object belongs, by the labels that it got from its node. */
export function placeOf(labels: Readonly<Record<string, string>> = {}): Readonly<Record<string, string | undefined>> {
  return {
    zone: labels[ZONE_LABEL],
    building_block: labels[BUILDING_BLOCK_LABEL],
    worker_group: labels[WORKER_GROUP_LABEL],
  };
}

export function hypervisorLabels({ metadata, spec }: Hypervisor): string {
  return presentLabels({ name: metadata.name, ...placeOf(metadata.labels), maintenance: spec?.maintenance });
}

/** The metrics of a hypervisor. The names with `kube_customresource` are those that dashboards already know. */
export const hypervisorFamilies: readonly ScrapedFamily<Hypervisor>[] = [
  {
    name: 'kube_customresource_hypervisor_info',
    help: 'The versions and the hardware of a hypervisor. Always 1.',
    valuesOf: ({ status }) => [{ labels: infoLabels(status), value: 1 }],
  },
  {
    name: 'kube_customresource_hypervisor_num_instances',
    help: 'How many instances it has, those that do not run included.',
    valuesOf: ({ status }) => [{ value: status?.numInstances ?? 0 }],
  },
  {
    name: 'kube_customresource_hypervisor_evicted',
    help: 'Whether it is in maintenance and all instances have left.',
    valuesOf: ({ status }) => [{ value: Number(status?.evicted ?? false) }],
  },
  {
    name: 'kube_customresource_hypervisor_condition',
    help: 'Its conditions: 1 for True, 0 for all else, which the label status tells apart.',
    valuesOf: ({ status }) => conditionValues(status?.conditions),
  },
  {
    name: 'kube_customresource_hypervisor_capability_cpus',
    help: 'The processors of all its NUMA cells.',
    valuesOf: ({ status }) => [{ value: numberOf(status?.capabilities?.cpus) }],
  },
  {
    name: 'kube_customresource_hypervisor_lifecycle_enabled',
    help: 'Whether it is onboarded, looked after and offboarded.',
    valuesOf: ({ spec }) => [{ value: Number(spec?.lifecycleEnabled ?? false) }],
  },
  {
    name: 'kube_customresource_hypervisor_high_availability',
    help: 'Whether its instances are to be rebuilt elsewhere when it is lost.',
    valuesOf: ({ spec }) => [{ value: Number(spec?.highAvailability ?? false) }],
  },
  {
    name: 'smalt_hypervisor_lifecycle_state',
    help: 'Where it is in its life. Always 1.',
    valuesOf: ({ status }) =>
      status?.lifecycleState === undefined
        ? []
        : [{ labels: presentLabels({ state: status.lifecycleState }), value: 1 }],
  },
];

function infoLabels(status: Hypervisor['status']): string {
  return presentLabels({
    hypervisor_version: status?.hypervisorVersion,
    libvirt_version: status?.libVirtVersion,
    hardware_model: status?.operatingSystem?.hardwareModel,
    os_version: status?.operatingSystem?.prettyVersion,
  });
}

function numberOf(quantity: number | string | undefined): number {
  if (typeof quantity === 'number') return quantity;
  return quantity !== undefined && isQuantity(quantity) ? quantityAsApproximateFloat(parseQuantity(quantity)) : 0;
}
