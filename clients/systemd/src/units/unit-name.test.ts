import { describe, expect, it } from 'vitest';

import { isUnitName, unitOfTemplate } from './unit-name.ts';

describe('isUnitName', () => {
  it.each([
    'web.service',
    'getty@tty1.service',
    'dbus-org.freedesktop.login1.service',
    String.raw`dev-disk-by\x2dlabel-a.device`,
    '-.mount',
    'systemd-sysupdate@1.2.3.service',
  ])('takes %s', (name) => {
    expect(isUnitName(name)).toBe(true);
  });

  it.each([
    '',
    'web',
    '.service',
    'getty@.service',
    'web.exe',
    'web.service\n',
    'we b.service',
    '../web.service',
    'web.service\0',
    'wéb.service',
    "web'.service",
    `${'a'.repeat(250)}.service`,
  ])('refuses %j', (name) => {
    expect(isUnitName(name)).toBe(false);
  });
});

describe('unitOfTemplate', () => {
  // As printed by systemd-escape --template.
  it.each([
    { instance: '1.2.3', name: 'systemd-sysupdate@1.2.3.service' },
    { instance: '1.2-rc1+b', name: String.raw`systemd-sysupdate@1.2\x2drc1\x2bb.service` },
    { instance: 'a/b', name: 'systemd-sysupdate@a-b.service' },
    { instance: '.hidden', name: String.raw`systemd-sysupdate@\x2ehidden.service` },
    { instance: 'ä b', name: String.raw`systemd-sysupdate@\xc3\xa4\x20b.service` },
  ])('names the instance $instance', ({ instance, name }) => {
    expect(unitOfTemplate('systemd-sysupdate@.service', instance)).toBe(name);
  });

  it('refuses what is not a template, and an instance without a name', () => {
    expect(() => unitOfTemplate('web.service', 'a')).toThrow(/is not a template/);
    expect(() => unitOfTemplate('web@.service', '')).toThrow(/is not the name of a unit/);
  });
});
