import { attribute, children, find, parseXml } from '@smalt/xml';

const CHANNEL = 'org.qemu.guest_agent.0';

/** Whether a domain has a channel for a guest agent, and an agent holds it open, as the XML of the running domain says. */
export function isAgentConnected(xml: string): boolean {
  const devices = find(parseXml(xml).root, 'devices');
  return (devices === undefined ? [] : children(devices, 'channel')).some((channel) => {
    const target = find(channel, 'target');
    return target !== undefined && attribute(target, 'name') === CHANNEL && attribute(target, 'state') === 'connected';
  });
}
