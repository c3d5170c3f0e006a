import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { bootWith, connectCard, knock, type BedCard } from '../fixtures/bed-card.ts';
import { startNetworkBed, type BedGuest, type NetworkBed } from '../fixtures/network-bed.ts';

const signal = AbortSignal.timeout(120_000);
let bed: NetworkBed;
let mallory: BedGuest;
let alice: BedGuest;
let own: BedCard;
let other: BedCard;

describe('a hostile guest', () => {
  beforeAll(async () => {
    bed = await startNetworkBed();
    const networks = bed.openNetworks();
    own = await connectCard(networks, anInstance('mallory'), signal);
    other = await connectCard(networks, anInstance('alice', { namespace: 'mill' }), signal);
    [mallory, alice] = [await bootWith(bed, own), await bootWith(bed, other)];
    await bed.run('ip', 'address', 'add', '203.0.113.1/32', 'dev', 'lo');
    await bed.run('ip', 'address', 'add', '169.254.169.254/32', 'dev', 'lo');
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('reaches the names of the node, and no other service of it', async () => {
    const [guest, address] = [mallory, own.address];
    const places = ['10.222.0.1', '203.0.113.1', '169.254.169.254'];

    const names = await knock(guest, '10.222.0.1', 53);
    const others = await Promise.all(places.map((each) => knock(guest, each, 8186)));
    const fromNode = await knock(bed, address);
    await bed.run('nft', 'flush', 'ruleset');
    const unguarded = await Promise.all(places.map((each) => knock(guest, each, 8186)));
    await restoreRules();

    expect([names, fromNode]).toEqual(['open', 'refused']);
    expect(others).toEqual(['nothing', 'nothing', 'nothing']);
    expect(unguarded).toEqual(['refused', 'refused', 'refused']);
  });

  it('does not reach its neighbours, neither directly nor by way of the node, unless the network is shared', async () => {
    const [guest, neighbour] = [mallory, other.address];
    const direct = await knock(guest, neighbour);
    await guest.run('ip', 'route', 'add', `${neighbour}/32`, 'via', '10.222.0.1');
    const routed = await knock(guest, neighbour);
    await guest.run('ip', 'route', 'delete', `${neighbour}/32`);
    const nat = { bridge: 'smalt0', range: '10.222.0.0/18', nameServers: [], isShared: true };
    const stopping = new AbortController();

    const kept = bed.openNetworks({ nat }).keepRunning(stopping.signal);
    await expect.poll(() => knock(guest, neighbour), { timeout: 10_000 }).toBe('refused');
    stopping.abort();
    await kept;

    expect([direct, routed]).toEqual(['nothing', 'nothing']);
    await restoreRules();
  });

  it('sends nothing under the address of another, neither by IP nor by ARP', async () => {
    const [guest, { address }] = [mallory, other];
    await guest.run('ip', 'address', 'add', `${address}/32`, 'dev', 'eth0');
    await guest.run('ip', 'route', 'add', '10.222.0.1/32', 'dev', 'eth0', 'src', address);
    await bed.run('ip', 'neighbour', 'flush', 'dev', 'smalt0');

    const guarded = await knock(guest, '10.222.0.1', 53);
    await alice.run('ip', 'link', 'set', 'eth0', 'down');
    await bed.run('ip', 'neighbour', 'flush', 'dev', 'smalt0');
    const answered = await knock(bed, address);
    await bed.run('nft', 'flush', 'ruleset');
    const unguarded = await knock(guest, '10.222.0.1', 53);
    await restoreRules();

    expect({ guarded, answered, unguarded }).toEqual({ guarded: 'nothing', answered: 'nothing', unguarded: 'open' });
  });

  it('sends nothing under the hardware address of another, even with the address that belongs to it', async () => {
    const { mac, address } = other;
    const guest = await bootWith(bed, { mac, address, device: own.device });

    const guarded = await knock(guest, '10.222.0.1', 53);
    const asking = guest.askAddress(600);
    await expect(asking).rejects.toThrow(/ended with 1$|ended with 1:/);
    await bed.run('nft', 'flush', 'ruleset');
    // Nobody answered it before, which it would go by for a while.
    await guest.run('ip', 'neighbour', 'flush', 'dev', 'eth0');
    const unguarded = await knock(guest, '10.222.0.1', 53);
    await restoreRules();

    expect({ guarded, unguarded }).toEqual({ guarded: 'nothing', unguarded: 'open' });
  });

  it('speaks no IPv6', async () => {
    const guest = await bootWith(bed, own);
    await bed.run('ip', 'address', 'add', 'fd00:5::1/64', 'dev', 'smalt0', 'nodad');
    await guest.run('ip', 'address', 'add', 'fd00:5::2/64', 'dev', 'eth0', 'nodad');

    const guarded = await knock(guest, 'fd00:5::1');
    await bed.run('nft', 'flush', 'ruleset');
    await guest.run('ip', 'neighbour', 'flush', 'dev', 'eth0');
    const unguarded = await knock(guest, 'fd00:5::1');
    await bed.run('ip', 'address', 'delete', 'fd00:5::1/64', 'dev', 'smalt0');
    await restoreRules();

    expect({ guarded, unguarded }).toEqual({ guarded: 'nothing', unguarded: 'refused' });
  });

  it('is cut off when its instance is gone, though its device stays', async () => {
    const guest = await bootWith(bed, own);
    const before = await knock(guest, '10.222.0.1', 53);

    await bed.openNetworks().disconnect(anInstance('mallory'), signal);
    const after = await knock(guest, '10.222.0.1', 53);

    expect([before, after]).toEqual(['open', 'nothing']);
  });
});

/** As a handler with the usual settings makes them. */
async function restoreRules(): Promise<void> {
  await bed.run('nft', 'flush', 'ruleset');
  await connectCard(bed.openNetworks(), anInstance('mallory'), signal);
}
