import { describe, expect, it } from 'vitest';

import {
  attribute,
  child,
  children,
  element,
  find,
  findAll,
  isMissing,
  requireAttribute,
  requireElement,
  requireText,
  textContent,
  valueAt,
} from './index.ts';

const disk = element('disk', { type: 'file' }, [' ', element('source', { file: '/a' })]);
const network = element('disk', { type: 'network' });
const devices = element('devices', {}, ['\n', disk, '\n', network, element('rng')]);
const domain = element('domain', {}, [element('name', {}, ['web-1']), devices]);

describe('navigation', () => {
  it('finds children by name, in order, and skips what is not an element', () => {
    expect(child(devices, 'disk')).toBe(disk);
    expect(child(devices, 'tape')).toBeUndefined();
    expect(children(devices, 'disk')).toEqual([disk, network]);
    expect(children(devices).map(({ name }) => name)).toEqual(['disk', 'disk', 'rng']);
  });

  it('finds attributes and texts', () => {
    expect(attribute(disk, 'type')).toBe('file');
    expect(attribute(disk, 'constructor')).toBeUndefined();
    expect(textContent(domain)).toBe('web-1\n \n');
  });

  it('finds by path', () => {
    expect(find(domain, 'devices/disk[2]')).toBe(network);
    expect(findAll(domain, 'devices/disk')).toEqual([disk, network]);
    expect(valueAt(domain, 'devices/disk/source/@file')).toBe('/a');
    expect(valueAt(domain, 'name')).toBe('web-1');
  });

  it('gives what is required, or throws with the path from the given element on', () => {
    expect(requireElement(domain, 'devices/disk[2]')).toBe(network);
    expect(requireAttribute(network, 'type')).toBe('network');
    expect(requireAttribute(domain, 'devices/disk[2]/@type')).toBe('network');
    expect(requireText(domain, 'name')).toBe('web-1');
    expect(() => requireElement(domain, 'devices/disk[3]')).toThrow('domain/devices/disk[3] is missing');
    expect(() => requireAttribute(network, 'device')).toThrow('disk/@device is missing');
    expect(() => requireText(devices)).toThrow('devices/text() is missing');
  });

  it('lets missing things be told from other errors', () => {
    let caught: unknown;
    try {
      requireElement(domain, 'x');
    } catch (error) {
      caught = error;
    }

    expect(isMissing(caught)).toBe(true);
    expect(isMissing(new Error('domain/x is missing'))).toBe(false);
  });

  it('reads the text of any depth', () => {
    let deep = element('a', {}, ['x']);
    for (let level = 0; level < 100_000; level += 1) deep = element('a', {}, [deep]);

    expect(textContent(deep)).toBe('x');
  });
});
