import { expect, it } from 'vitest';

import { isAgentConnected } from './is-agent-connected.ts';

const AGENT = 'org.qemu.guest_agent.0';

it.each([
  { what: 'an agent that is connected', devices: channel(AGENT, 'connected'), isConnected: true },
  { what: 'an agent that is not', devices: channel(AGENT, 'disconnected'), isConnected: false },
  { what: 'a state that is not known', devices: channel(AGENT), isConnected: false },
  { what: 'another channel', devices: channel('com.redhat.spice.0', 'connected'), isConnected: false },
  {
    what: 'several channels',
    devices: channel('com.redhat.spice.0', 'disconnected') + channel(AGENT, 'connected'),
    isConnected: true,
  },
  { what: 'no channel', devices: '<disk/>', isConnected: false },
])('a domain with $what: $isConnected', ({ devices, isConnected }) => {
  expect(isAgentConnected(`<domain><devices>${devices}</devices></domain>`)).toBe(isConnected);
});

it('a domain without devices has no agent', () => {
  expect(isAgentConnected('<domain/>')).toBe(false);
});

function channel(name: string, state?: string): string {
  const told = state === undefined ? '' : ` state='${state}'`;
  return `<channel type='unix'><target type='virtio' name='${name}'${told}/></channel>`;
}
