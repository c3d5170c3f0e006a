import { bothEndian16, bothEndian32 } from './both-endian.ts';
import { directoryRecord, type IsoExtent } from './directory-records.ts';
import { bigEndianText } from './iso-names.ts';
import { SECTOR_BYTES } from './iso-sector.ts';

export interface VolumeDescriptorContent {
  readonly kind: 'primary' | 'joliet';
  readonly label: string;
  readonly sectors: number;
  readonly pathTableBytes: number;
  readonly pathTables: { readonly little: number; readonly big: number };
  readonly root: IsoExtent;
}

/** Names are Unicode of the third level. */
const JOLIET_ESCAPE = '%/E';
const JOLIET_LABEL_LENGTH = 16;
const SPACES: readonly (readonly [offset: number, length: number])[] = [
  [8, 32],
  [190, 512],
  [702, 111],
];
const DATES = [813, 830, 847, 864] as const;

/** The sector that says what the volume is called and where its root is. */
export function volumeDescriptor(content: VolumeDescriptorContent): Buffer {
  const { kind, label, root } = content;
  const sector = descriptorStart(kind === 'primary' ? 1 : 2);
  const padding = kind === 'primary' ? Buffer.from(' ') : bigEndianText(' ');
  for (const [offset, length] of [...SPACES, [40, 32] as const]) {
    // The last byte of a field of odd length stays zero in Joliet.
    sector.fill(padding, offset, offset + length - (length % padding.length));
  }
  const labelBytes =
    kind === 'primary' ? Buffer.from(label, 'latin1') : bigEndianText(label.slice(0, JOLIET_LABEL_LENGTH));
  labelBytes.copy(sector, 40);
  bothEndian32(content.sectors).copy(sector, 80);
  if (kind === 'joliet') sector.write(JOLIET_ESCAPE, 88, 'latin1');
  bothEndian16(1).copy(sector, 120);
  bothEndian16(1).copy(sector, 124);
  bothEndian16(SECTOR_BYTES).copy(sector, 128);
  bothEndian32(content.pathTableBytes).copy(sector, 132);
  sector.writeUInt32LE(content.pathTables.little, 140);
  sector.writeUInt32BE(content.pathTables.big, 148);
  directoryRecord({ identifier: Buffer.from([0]), isDirectory: true, ...root }).copy(sector, 156);
  for (const offset of DATES) sector.write('0'.repeat(16), offset, 'latin1');
  sector[881] = 1;
  return sector;
}

/** The sector after the last descriptor. */
export function descriptorTerminator(): Buffer {
  return descriptorStart(255);
}

function descriptorStart(type: number): Buffer {
  const sector = Buffer.alloc(SECTOR_BYTES);
  sector[0] = type;
  sector.write('CD001', 1, 'latin1');
  sector[6] = 1;
  return sector;
}
