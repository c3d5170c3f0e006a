import { describe, expect, it } from 'vitest';

import { connectionsToTarget } from './cut-loose.ts';

describe('connectionsToTarget', () => {
  it('names what a migration has made, and never the hold of libvirt on the guest', () => {
    const answer = {
      return: [
        { type: 'chardev', id: 'charmonitor' },
        { type: 'migration' },
        { 'node-name': 'migration-vda-storage', type: 'block-node' },
        { 'node-name': 'libvirt-1-storage', type: 'block-node' },
      ],
      id: 'libvirt-456',
    };

    expect(connectionsToTarget(JSON.stringify(answer))).toEqual([
      { type: 'migration' },
      { 'node-name': 'migration-vda-storage', type: 'block-node' },
    ]);
  });

  it.each(['{}', '[]', '{"error":{}}', '{"return":{}}', '{"return":[1]}'])('finds none in %s', (answer) => {
    expect(connectionsToTarget(answer)).toEqual([]);
  });
});
