import { parseXml, printXml, withChildAdded, withElementAt } from '@smalt/xml';

/** A domain's XML with these devices, each an XML fragment, added to those it has. */
export function withDevices(domainXml: string, ...devices: readonly string[]): string {
  const added = devices.map((device) => parseXml(device).root);
  return printXml(withElementAt(parseXml(domainXml).root, 'devices', (owner) => added.reduce(withChildAdded, owner)));
}
