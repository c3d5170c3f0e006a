import { expect, it } from 'vitest';

import { findLibvirtUri, type UriSources } from './find-libvirt-uri.ts';

it.each<{ what: string; sources: Partial<UriSources>; sockets?: readonly string[]; uri: string }>([
  {
    what: 'the setting',
    sources: { uri: 'ch+tcp://h/system', defaultUri: 'qemu:///system' },
    uri: 'ch+tcp://h/system',
  },
  { what: 'LIBVIRT_DEFAULT_URI', sources: { defaultUri: 'ch:///system' }, uri: 'ch:///system' },
  {
    what: 'LIBVIRT_SOCKET with LIBVIRT_DEFAULT_URI',
    sources: { defaultUri: 'ch:///system', socket: '/run/x' },
    uri: 'ch+unix:///system?socket=%2Frun%2Fx',
  },
  { what: 'LIBVIRT_SOCKET alone', sources: { socket: '/run/x' }, uri: 'qemu+unix:///system?socket=%2Frun%2Fx' },
  {
    what: 'LIBVIRT_SOCKET of virtchd',
    sources: { socket: '/run/virtchd-sock' },
    uri: 'ch+unix:///system?socket=%2Frun%2Fvirtchd-sock',
  },
  { what: 'the socket of virtchd', sources: {}, sockets: ['virtchd-sock', 'libvirt-sock'], uri: 'ch:///system' },
  { what: 'the socket of libvirtd', sources: {}, sockets: ['libvirt-sock'], uri: 'qemu:///system' },
  { what: 'nothing at all', sources: {}, uri: 'qemu:///system' },
])('goes by $what', async ({ sources, sockets = [], uri }) => {
  const exists = async (path: string): Promise<boolean> => sockets.some((name) => path === `/run/libvirt/${name}`);

  expect(await findLibvirtUri({ uri: '', defaultUri: undefined, socket: undefined, exists, ...sources })).toBe(uri);
});

it.each<{ sources: Partial<UriSources>; says: string }>([
  { sources: { uri: 'qemu+ssh://h/system' }, says: 'libvirt: ' },
  { sources: { defaultUri: 'nonsense' }, says: 'LIBVIRT_DEFAULT_URI: ' },
  {
    sources: { defaultUri: 'qemu+tcp://h/system', socket: '/run/x' },
    says: 'LIBVIRT_DEFAULT_URI: "qemu+tcp://h/system"',
  },
])('refuses $sources and names it', async ({ sources, says }) => {
  const nowhere = { uri: '', defaultUri: undefined, socket: undefined, exists: async () => false };

  await expect(findLibvirtUri({ ...nowhere, ...sources })).rejects.toThrow(says);
});
