import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { cursorAt, element, isMissing, parseXml, type XmlCursor } from './index.ts';

const NOVA = 'http://openstack.org/xmlns/libvirt/nova/1.1';
const QEMU = 'http://libvirt.org/schemas/domain/qemu/1.0';

describe('XmlCursor', () => {
  it('finds elements, attributes and texts by path', () => {
    const domain = domainCursor();

    expect({
      name: domain.value('name'),
      arch: domain.value('os/type/@arch'),
      own: domain.value('@type'),
      second: domain.find('devices/disk[2]')?.attribute('type'),
      targets: domain.findAll('devices/disk/target').map((target) => target.attribute('dev')),
      any: domain.find('devices/*[2]')?.path,
      absent: [domain.value('os/@x'), domain.value('x/y'), domain.value('x/@y'), domain.find('devices/disk[9]')],
    }).toEqual({
      name: 'web-1',
      arch: 'x86_64',
      own: 'qemu',
      second: 'network',
      targets: ['vda', 'vdb', 'hda'],
      any: 'domain/devices/disk[1]',
      absent: [undefined, undefined, undefined, undefined],
    });
  });

  it('reads text with CDATA and without comments, at any depth', () => {
    const cursor = cursorAt(parseXml('<a>1<!--2--><b>3<c><![CDATA[4]]></c>5</b>6</a>'));

    expect(cursor.text).toBe('13456');
  });

  it('knows the path of what it found', () => {
    const [disk] = domainCursor().findAll('devices/disk').slice(1);

    expect(disk?.path).toBe('domain/devices/disk[2]');
    expect(disk?.child('source')?.path).toBe('domain/devices/disk[2]/source');
    expect(disk?.parent?.path).toBe('domain/devices');
  });

  it('names the whole path of what is missing, wherever it was asked', () => {
    const domain = domainCursor();
    const disk = domain.require('devices/disk[2]');

    expect(
      failures([
        () => disk.requireAttribute('copy'),
        () => domain.requireAttribute('devices/disk[2]/@copy'),
        () => domain.requireAttribute('devices/tape/drive/@copy'),
        () => domain.require('devices/disk[7]/source'),
        () => domain.require('clocks/timer'),
        () => disk.require('auth'),
        () => domain.require('features/acpi').requireText(),
        () => domain.requireText('features/acpi'),
        () => domain.requireText('os'),
      ]),
    ).toEqual([
      'domain/devices/disk[2]/@copy is missing',
      'domain/devices/disk[2]/@copy is missing',
      'domain/devices/tape is missing',
      'domain/devices/disk[7] is missing',
      'domain/clocks is missing',
      'domain/devices/disk[2]/auth is missing',
      'domain/features/acpi/text() is missing',
      'domain/features/acpi/text() is missing',
      'no error',
    ]);
  });

  it.each(['', '/', 'a//b', 'a[0]', 'a[x]', 'a[1', '@a/b', 'a b', '@', 'a/@b c'])('refuses the path %j', (path) => {
    expect(() => domainCursor().value(path)).toThrow(expect.objectContaining({ code: 'invalid-path', path }));
  });

  it('refuses an attribute where an element is meant', () => {
    expect(() => domainCursor().find('os/@x')).toThrow(expect.objectContaining({ code: 'invalid-path' }));
  });

  it('finds elements by namespace whatever their prefix', () => {
    const domain = domainCursor();
    const [instance] = domain.require('metadata').childrenIn(NOVA, 'instance');
    const [app] = domain.require('metadata').childrenIn('urn:example:app');

    expect(instance?.childrenIn(NOVA).map((child) => child.element.name)).toEqual([
      'nova:package',
      'nova:name',
      'nova:flavor',
      'nova:raw',
      'nova:empty',
    ]);
    expect(app?.namespace).toBe('urn:example:app');
    expect(app?.attributeIn('urn:example:x', 'key')).toBe('v');
    expect(app?.attributeIn('urn:example:app', 'key')).toBeUndefined();
    expect(app?.children()[0]?.namespace).toBe('urn:example:x');
    expect(domain.childrenIn(QEMU, 'commandline')).toHaveLength(1);
    expect(domain.childrenIn(QEMU, 'metadata')).toHaveLength(0);
    expect(domain.namespace).toBeUndefined();
  });

  it('starts at an element as well as at a document', () => {
    expect(cursorAt(element('a', {}, [element('b')])).require('b').path).toBe('a/b');
  });
});

function domainCursor(): XmlCursor {
  return cursorAt(parseXml(readFileSync(new URL('fixtures/domain.xml', import.meta.url), 'utf8')));
}

function failures(calls: readonly (() => unknown)[]): readonly string[] {
  return calls.map((call) => {
    try {
      call();
      return 'no error';
    } catch (error) {
      return isMissing(error) ? error.message : String(error);
    }
  });
}
