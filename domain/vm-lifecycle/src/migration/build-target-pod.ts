import type { Labels } from '@smalt/placement';
import {
  WellKnownName,
  type Affinity,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';

import { buildLauncherPod, type LauncherPod } from '../launcher-pod/build-launcher-pod.ts';
import { launcherName } from '../launcher-pod/launcher-metadata.ts';
import type { LauncherSettings } from '../launcher-pod/launcher-settings.ts';
import { NodeLabelPrefix } from '../node/node-label-names.ts';

export interface TargetFacts {
  readonly vmi: VirtualMachineInstance;
  readonly migration: VirtualMachineInstanceMigration;
  /** The labels of the node that it leaves. */
  readonly sourceLabels: Labels;
  readonly settings: LauncherSettings;
}

/** Makes the pod that takes an instance over, on another node that has what the guest was started with. */
export function buildTargetPod({ vmi, migration, sourceLabels, settings }: TargetFacts): LauncherPod {
  const pod = buildLauncherPod(vmi, settings);
  const uid = migration.metadata.uid ?? '';
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name: launcherName(vmi.metadata.name, uid),
      labels: { ...pod.metadata.labels, [WellKnownName.migrationJobLabel]: uid },
      annotations: { ...pod.metadata.annotations, 'kubevirt.io/migrationJobName': migration.metadata.name },
    },
    spec: {
      ...pod.spec,
      // What the migration adds may narrow the choice, never change what the instance itself asks for.
      nodeSelector: {
        ...migration.spec.addedNodeSelector,
        ...(settings.driver.emulatesMachine ? processorLabels(vmi, sourceLabels) : {}),
        ...pod.spec.nodeSelector,
      },
      affinity: awayFromSource(pod.spec.affinity, vmi.metadata.uid ?? ''),
    },
  };
}

/** A guest that was started with the model of its node needs that model, by its name, at the target. */
function processorLabels({ spec }: VirtualMachineInstance, source: Labels): Labels {
  const isHostModel = spec.domain.cpu?.model === undefined || spec.domain.cpu.model === 'host-model';
  const names = (prefix: string): readonly string[] =>
    Object.keys(source).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  const labels = [
    ...names(NodeLabelPrefix.cpuVendor).map((name) => `${NodeLabelPrefix.cpuVendor}${name}`),
    ...(isHostModel
      ? names(NodeLabelPrefix.hostModel).map((name) => `${NodeLabelPrefix.cpuModelMigration}${name}`)
      : []),
    ...(isHostModel
      ? names(NodeLabelPrefix.hostModelFeature).map((name) => `${NodeLabelPrefix.cpuFeature}${name}`)
      : []),
  ];
  return Object.fromEntries(labels.map((label) => [label, 'true']));
}

function awayFromSource(affinity: Affinity | undefined, uid: string): Affinity {
  const { requiredDuringSchedulingIgnoredDuringExecution: required = [], ...rest } = affinity?.podAntiAffinity ?? {};
  const term = {
    labelSelector: { matchLabels: { [WellKnownName.createdByLabel]: uid } },
    topologyKey: 'kubernetes.io/hostname',
  };
  return {
    ...affinity,
    podAntiAffinity: { ...rest, requiredDuringSchedulingIgnoredDuringExecution: [...required, term] },
  };
}
