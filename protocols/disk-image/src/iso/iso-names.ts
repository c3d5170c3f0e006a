import type { TreeNode } from '../file-tree.ts';
import type { NameRegistry } from '../name-registry.ts';

/** How the names of one of the two trees of an image are written. */
export type IsoNaming = (node: TreeNode, taken: NameRegistry) => Buffer;

const STEM_LENGTH = 8;
const EXTENSION_LENGTH = 3;
const JOLIET_LENGTH = 64;

/** Eight letters, a dot and three, as every reader knows them; the real name goes along by Rock Ridge. */
export const primaryNaming: IsoNaming = ({ kind, name }, taken) => {
  const dot = kind === 'file' ? name.lastIndexOf('.') : -1;
  const stem = plain(dot > 0 ? name.slice(0, dot) : name) || '_';
  const extension = plain(dot > 0 ? name.slice(dot + 1) : '').slice(0, EXTENSION_LENGTH);
  const chosen = taken.take((attempt) => {
    const short = shortened(stem, attempt, STEM_LENGTH);
    return kind === 'file' ? `${short}.${extension};1` : short;
  });
  return Buffer.from(chosen, 'latin1');
};

/** The names that Windows reads: whole, but for some characters and what is beyond 64 of them. */
export const jolietNaming: IsoNaming = ({ kind, name }, taken) => {
  const allowed = name.replaceAll(/[*/:;?\\\p{Cc}]/gu, '_');
  const chosen = taken.take((attempt) => {
    const whole = shortened(allowed, attempt, JOLIET_LENGTH).toWellFormed();
    return kind === 'file' ? `${whole};1` : whole;
  });
  return bigEndianText(chosen);
};

/** Text as Joliet writes it. */
export function bigEndianText(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
}

function shortened(name: string, attempt: number, length: number): string {
  if (attempt === 0) return name.slice(0, length);
  const suffix = String(attempt);
  return `${name.slice(0, length - suffix.length)}${suffix}`;
}
