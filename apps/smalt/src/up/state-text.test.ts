import { stripVTControlCharacters } from 'node:util';

import { LibvirtError } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { stateText } from './state-text.ts';

it('tells that the daemon is gone and when it is tried again', () => {
  const error = new LibvirtError('connection-lost', 'the daemon closed the connection');

  const text = stateText({ kind: 'waiting', attempt: 1, delayMs: 1500, error });

  expect(stripVTControlCharacters(text ?? '')).toBe(
    'libvirtd cannot be reached (the daemon closed the connection); trying again in 1.5 s',
  );
});

it('keeps silent about a connection that works', () => {
  expect(stateText({ kind: 'connected', attempt: 1, connectedAt: new Date(0) })).toBeUndefined();
});
