import {
  WellKnownName,
  type VirtualMachine,
  type VirtualMachinePool,
  type VirtualMachineSpec,
  type Volume,
} from '@smalt/vm-api';

import { labelOf } from '../launcher-pod/launcher-metadata.ts';
import { fingerprint } from './fingerprint.ts';

/** What the machines of a pool are known by, as it is now. */
export interface PoolMarks {
  readonly template: string;
  readonly instance: string;
  readonly volumes: string;
}

/** Fingerprints of the template, by which machines and instances that are behind are found. */
export function poolMarks({ spec }: VirtualMachinePool): PoolMarks {
  const { virtualMachineTemplate } = spec;
  return {
    template: fingerprint(virtualMachineTemplate),
    instance: fingerprint(virtualMachineTemplate.spec?.template),
    volumes: fingerprint(virtualMachineTemplate.spec?.dataVolumeTemplates ?? []),
  };
}

/** The machine of a pool with that number. */
export function poolMachine(pool: VirtualMachinePool, index: number): VirtualMachine {
  const { apiVersion, kind, metadata } = pool;
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: {
      ...poolMetadata(pool),
      name: `${metadata.name}-${index}`,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ownerReferences: [
        { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: poolMachineSpec(pool, index),
  };
}

/** The labels and annotations of all machines of a pool. */
export function poolMetadata(pool: VirtualMachinePool): Pick<VirtualMachine['metadata'], 'labels' | 'annotations'> {
  const { labels, annotations } = pool.spec.virtualMachineTemplate.metadata ?? {};
  return {
    labels: { ...labels, [WellKnownName.poolRevisionLabel]: revisionOf(pool) },
    annotations: { ...annotations, [WellKnownName.poolTemplateAnnotation]: poolMarks(pool).template },
  };
}

/** What the machine of a pool with that number is. What belongs to one machine alone gets its number. */
export function poolMachineSpec(pool: VirtualMachinePool, index: number): VirtualMachineSpec {
  const { virtualMachineTemplate, nameGeneration = {} } = pool.spec;
  const { template, dataVolumeTemplates, ...spec } = virtualMachineTemplate.spec ?? { template: {} };
  const suffix = `-${index}`;
  const renaming = {
    suffix,
    made: new Set((dataVolumeTemplates ?? []).flatMap((each) => each?.metadata?.name ?? [])),
    configMaps: nameGeneration.appendIndexToConfigMapRefs === true,
    secrets: nameGeneration.appendIndexToSecretRefs === true,
  };
  const volumes = template.spec?.volumes?.map((volume) => numberedVolume(volume, renaming));
  return {
    ...spec,
    ...(dataVolumeTemplates === undefined
      ? {}
      : { dataVolumeTemplates: dataVolumeTemplates.map((each) => numberedTemplate(each, suffix)) }),
    template: {
      ...template,
      metadata: instanceMetadata(pool, template.metadata),
      ...(template.spec === undefined
        ? {}
        : { spec: { ...template.spec, ...(volumes === undefined ? {} : { volumes }) } }),
    },
  };
}

type TemplateMetadata = NonNullable<VirtualMachineSpec['template']['metadata']>;

function instanceMetadata(pool: VirtualMachinePool, metadata: TemplateMetadata | null | undefined): TemplateMetadata {
  const { instance, volumes } = poolMarks(pool);
  return {
    ...metadata,
    labels: { ...metadata?.labels, [WellKnownName.poolRevisionLabel]: revisionOf(pool) },
    annotations: {
      ...metadata?.annotations,
      [WellKnownName.poolInstanceAnnotation]: instance,
      [WellKnownName.poolVolumesAnnotation]: volumes,
    },
  };
}

/** The number of a machine of a pool, by its name; undefined for one that was not named by a pool. */
export function poolIndex({ metadata }: VirtualMachine): number | undefined {
  const digits = /-(\d+)$/u.exec(metadata.name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function revisionOf({ metadata }: VirtualMachinePool): string {
  return labelOf(`${metadata.name}-${metadata.generation ?? 1}`);
}

type DataVolumeTemplate = NonNullable<VirtualMachineSpec['dataVolumeTemplates']>[number];

function numberedTemplate(template: DataVolumeTemplate, suffix: string): DataVolumeTemplate {
  const name = template?.metadata?.name;
  if (template === null || name === undefined) return template;
  return { ...template, metadata: { ...template.metadata, name: `${name}${suffix}` } };
}

interface Renaming {
  readonly suffix: string;
  /** The names of the volumes that each machine has of its own. */
  readonly made: ReadonlySet<string>;
  readonly configMaps: boolean;
  readonly secrets: boolean;
}

function numberedVolume(volume: Volume, { suffix, made, configMaps, secrets }: Renaming): Volume {
  const {
    persistentVolumeClaim: claim,
    dataVolume,
    configMap,
    secret,
    cloudInitNoCloud,
    cloudInitConfigDrive,
  } = volume;
  if (claim !== undefined && made.has(claim.claimName)) {
    return { ...volume, persistentVolumeClaim: { ...claim, claimName: `${claim.claimName}${suffix}` } };
  }
  if (dataVolume !== undefined && made.has(dataVolume.name)) {
    return { ...volume, dataVolume: { ...dataVolume, name: `${dataVolume.name}${suffix}` } };
  }
  if (configMap?.name !== undefined && configMaps) {
    return { ...volume, configMap: { ...configMap, name: `${configMap.name}${suffix}` } };
  }
  if (!secrets) return volume;
  if (secret?.secretName !== undefined) {
    return { ...volume, secret: { ...secret, secretName: `${secret.secretName}${suffix}` } };
  }
  if (cloudInitNoCloud !== undefined) return { ...volume, cloudInitNoCloud: numberedData(cloudInitNoCloud, suffix) };
  if (cloudInitConfigDrive === undefined) return volume;
  return { ...volume, cloudInitConfigDrive: numberedData(cloudInitConfigDrive, suffix) };
}

type CloudInit = NonNullable<Volume['cloudInitNoCloud'] | Volume['cloudInitConfigDrive']>;

function numberedData<T extends CloudInit>(data: T, suffix: string): T {
  const { secretRef, networkDataSecretRef } = data;
  return {
    ...data,
    ...(secretRef?.name === undefined ? {} : { secretRef: { ...secretRef, name: `${secretRef.name}${suffix}` } }),
    ...(networkDataSecretRef?.name === undefined
      ? {}
      : { networkDataSecretRef: { ...networkDataSecretRef, name: `${networkDataSecretRef.name}${suffix}` } }),
  };
}
