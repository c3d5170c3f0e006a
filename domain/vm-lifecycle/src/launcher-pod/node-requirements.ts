import type { Affinity, NodeSelectorRequirement, VirtualMachineInstance } from '@smalt/vm-api';

import { NodeLabelPrefix, OBSOLETE_HOST_MODEL_LABEL } from '../node/node-label-names.ts';
import type { LauncherSettings } from './launcher-settings.ts';

type Labels = Readonly<Record<string, string>>;

/** Models that are not looked for by name. */
const HOST_MODELS: readonly string[] = ['host-model', 'host-passthrough'];

/** The labels that the node of an instance must have. Those of the settings are no instance's to choose. */
export function nodeSelectorOf({ spec }: VirtualMachineInstance, settings: LauncherSettings): Labels {
  const { driver, nodeSelector } = settings;
  return {
    ...spec.nodeSelector,
    ...nodeSelector,
    'kubevirt.io/schedulable': 'true',
    ...(spec.architecture === undefined ? {} : { 'kubernetes.io/arch': spec.architecture }),
    [`${NodeLabelPrefix.hypervisor}${driver.name}`]: 'true',
    ...(spec.domain.cpu?.dedicatedCpuPlacement === true ? { 'kubevirt.io/cpumanager': 'true' } : {}),
    ...(driver.emulatesMachine ? machineLabels(spec) : {}),
  };
}

function machineLabels({ domain }: VirtualMachineInstance['spec']): Labels {
  const { machine, cpu, launchSecurity } = domain;
  const model = cpu?.model;
  const required = (cpu?.features ?? []).filter(
    ({ policy }) => policy === undefined || policy === '' || policy === 'require',
  );
  return {
    ...(machine?.type === undefined ? {} : { [`${NodeLabelPrefix.machineType}${machine.type}`]: 'true' }),
    ...(model === undefined || HOST_MODELS.includes(model) ? {} : { [`${NodeLabelPrefix.cpuModel}${model}`]: 'true' }),
    ...Object.fromEntries(required.map(({ name }) => [`${NodeLabelPrefix.cpuFeature}${name}`, 'true'])),
    ...(cpu?.realtime === undefined ? {} : { 'kubevirt.io/realtime': 'true' }),
    ...(launchSecurity?.sev === undefined ? {} : { 'kubevirt.io/sev': 'true' }),
    ...(launchSecurity?.snp === undefined ? {} : { 'kubevirt.io/sev-snp': 'true' }),
    ...(launchSecurity?.tdx === undefined ? {} : { 'kubevirt.io/tdx': 'true' }),
  };
}

/** The affinity of the pod: that of the instance, and what its node must not be. */
export function affinityOf({ spec }: VirtualMachineInstance, settings: LauncherSettings): Affinity | undefined {
  const { cpu } = spec.domain;
  const forbidden = (cpu?.features ?? [])
    .filter(({ policy }) => policy === 'forbid')
    .map(({ name }) => `${NodeLabelPrefix.cpuFeature}${name}`);
  // Told of the processor itself, which an emulated guest does not run on.
  const isHostModel = cpu?.model === 'host-model' && settings.driver.device !== undefined;
  const unwanted = [...(isHostModel ? [OBSOLETE_HOST_MODEL_LABEL] : []), ...forbidden];
  const requirements = unwanted.map((key) => ({ key, operator: 'DoesNotExist' }));
  return withNodeRequirements(spec.affinity, [
    ...(settings.driver.emulatesMachine ? requirements : []),
    ...refusedLabels(spec.nodeSelector, settings.nodeSelector),
  ]);
}

/** What an instance asks for against the settings: together with those no node has it, and the scheduler says so. */
function refusedLabels(asked: Labels = {}, given: Labels = {}): readonly NodeSelectorRequirement[] {
  return Object.entries(asked)
    .filter(([key, value]) => given[key] !== undefined && given[key] !== value)
    .map(([key, value]) => ({ key, operator: 'In', values: [value] }));
}

/** An affinity whose node must also meet these requirements: each term gets them, for one term is enough. */
function withNodeRequirements(
  affinity: Affinity | undefined,
  requirements: readonly NodeSelectorRequirement[],
): Affinity | undefined {
  if (requirements.length === 0) return affinity;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = (required?.nodeSelectorTerms ?? [{}]).map((term) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), ...requirements],
  }));
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    },
  };
}
