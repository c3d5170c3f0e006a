import { lettersOf, type ReportedDisk } from '@smalt/domain-xml';
import { attribute, child, printXml, withAttribute, type XmlElement } from '@smalt/xml';

/**
 * A disk to be plugged in, at the first place that no other disk of the guest has: where it would be in a guest that is
 * started anew may be taken by one that was there before.
 */
export function pluggableDisk(disk: XmlElement, present: readonly ReportedDisk[]): string {
  const target = child(disk, 'target');
  const prefix = (target && attribute(target, 'dev')?.slice(0, 2)) ?? 'sd';
  const taken = new Set(present.map((each) => each.target));
  let index = 0;
  while (taken.has(`${prefix}${lettersOf(index)}`)) index++;
  const name = `${prefix}${lettersOf(index)}`;
  return printXml({
    ...disk,
    children: disk.children.map((node) => {
      if (node.kind !== 'element') return node;
      if (node.name === 'target') return withAttribute(node, 'dev', name);
      return isDriveAddress(node) ? withAttribute(node, 'unit', index) : node;
    }),
  });
}

function isDriveAddress(node: XmlElement): boolean {
  return node.name === 'address' && attribute(node, 'type') === 'drive';
}
