import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

import { isGivenAt, isTrueAt, itemsAt, textAt, textsAt } from '../read-path.ts';
import { ageColumn } from './age-column.ts';
import { booleanColumn, column, integerColumn, wideColumn } from './make-column.ts';

const MODES: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';

export const persistentVolumeColumns: readonly Column[] = [
  column('Capacity', 'How large it is.', (volume) => textAt(volume, 'spec', 'capacity', 'storage') || '0'),
  column('Access Modes', 'How it can be mounted.', (volume) => modes(textsAt(volume, 'spec', 'accessModes'))),
  column('Reclaim Policy', 'What becomes of it when its claim goes.', (volume) =>
    textAt(volume, 'spec', 'persistentVolumeReclaimPolicy'),
  ),
  column('Status', 'Whether it is in use.', phaseOf),
  column('Claim', 'Whose it is.', (volume) =>
    isGivenAt(volume, 'spec', 'claimRef')
      ? `${textAt(volume, 'spec', 'claimRef', 'namespace')}/${textAt(volume, 'spec', 'claimRef', 'name')}`
      : '',
  ),
  column('StorageClass', 'What kind of storage it is.', classOf),
  column('VolumeAttributesClass', 'The attributes it has.', attributesOf),
  column('Reason', 'Why it is in this state.', (volume) => textAt(volume, 'status', 'reason')),
  ageColumn,
  wideColumn('VolumeMode', 'Whether it is a disk or a file system.', modeOf),
];

export const persistentVolumeClaimColumns: readonly Column[] = [
  column('Status', 'Whether it has a volume.', phaseOf),
  column('Volume', 'The volume.', (claim) => textAt(claim, 'spec', 'volumeName')),
  column('Capacity', 'How large it is.', (claim) =>
    textAt(claim, 'spec', 'volumeName') === '' ? '' : textAt(claim, 'status', 'capacity', 'storage') || '0',
  ),
  column('Access Modes', 'How it can be mounted.', (claim) =>
    textAt(claim, 'spec', 'volumeName') === '' ? '' : modes(textsAt(claim, 'status', 'accessModes')),
  ),
  column('StorageClass', 'What kind of storage is wanted.', classOf),
  column('VolumeAttributesClass', 'The attributes that are wanted.', attributesOf),
  ageColumn,
  wideColumn('VolumeMode', 'Whether it is a disk or a file system.', modeOf),
];

/** The name of the default class says so, and so it is a column of its own here. */
export const storageClassColumns: readonly Column[] = [
  {
    ...column('Name', 'The name of the class.', (object) => {
      const isDefault = ['', 'beta.'].some(
        (part) =>
          textAt(object, 'metadata', 'annotations', `storageclass.${part}kubernetes.io/is-default-class`) === 'true',
      );
      return `${textAt(object, 'metadata', 'name')}${isDefault ? ' (default)' : ''}`;
    }),
    format: 'name',
  },
  column('Provisioner', 'Who makes the volumes.', (object) => textAt(object, 'provisioner')),
  column(
    'ReclaimPolicy',
    'What becomes of a volume when its claim goes.',
    (object) => textAt(object, 'reclaimPolicy') || 'Delete',
  ),
  column('VolumeBindingMode', 'When a volume is made.', (object) => textAt(object, 'volumeBindingMode') || 'Immediate'),
  column('AllowVolumeExpansion', 'Whether volumes can grow.', (object) => isTrueAt(object, 'allowVolumeExpansion')),
  ageColumn,
];

export const csiNodeColumns: readonly Column[] = [
  integerColumn('Drivers', 'How many drivers there are.', (node) => itemsAt(node, 'spec', 'drivers').length),
  ageColumn,
];

export const volumeAttachmentColumns: readonly Column[] = [
  column('Attacher', 'Who attaches it.', (object) => textAt(object, 'spec', 'attacher')),
  column('PV', 'The volume.', (object) => textAt(object, 'spec', 'source', 'persistentVolumeName')),
  column('Node', 'The node.', (object) => textAt(object, 'spec', 'nodeName')),
  booleanColumn('Attached', 'Whether it is attached.', (object) => isTrueAt(object, 'status', 'attached')),
  ageColumn,
];

function modes(words: readonly string[]): string {
  return MODES.filter(([mode]) => words.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function phaseOf(object: JsonObject): string {
  return isGivenAt(object, 'metadata', 'deletionTimestamp') ? 'Terminating' : textAt(object, 'status', 'phase');
}

function classOf(object: JsonObject): string {
  return textAt(object, 'metadata', 'annotations', OLD_CLASS) || textAt(object, 'spec', 'storageClassName');
}

function attributesOf(object: JsonObject): string {
  return textAt(object, 'spec', 'volumeAttributesClassName') || '<unset>';
}

function modeOf(object: JsonObject): string {
  return textAt(object, 'spec', 'volumeMode') || '<unset>';
}
