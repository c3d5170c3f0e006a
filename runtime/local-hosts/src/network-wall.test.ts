import { runProgram } from '@smalt/libvirt-daemon';
import { expect, it } from 'vitest';

import { hostWallRules, wallRules } from './network-wall.ts';

const NFT = { name: 'nft', debianPackage: 'nftables' } as const;

it.each([
  { what: 'this machine', rules: wallRules({ bridge: 'sm12345678', prefix: '198.18.7', ports: [6443, 8443] }) },
  { what: 'a host', rules: hostWallRules('198.18.7.1') },
])('is understood by nft for $what', async ({ rules }) => {
  const checked = await runProgram(NFT, ['--check', '-f', '-'], { input: rules });

  expect(checked.toString()).toBe('');
});

it('lets hosts reach the ports that they are told of, and nothing else of this machine', () => {
  const rules = wallRules({ bridge: 'sm12345678', prefix: '198.18.7', ports: [6443, 8443] });

  const ofHosts = rules
    .split('\n')
    .filter((line) => line.includes('iifname "sm12345678"') && !line.includes('oifname'));
  expect(ofHosts.map((line) => line.trim().replace('iifname "sm12345678" ', ''))).toEqual([
    'ct state established,related accept',
    'meta l4proto icmp accept',
    'tcp dport { 6443, 8443 } accept',
    'drop',
  ]);
});
