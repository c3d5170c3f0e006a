import { element } from '@smalt/xml';

import { deviceStep, type DomainStep } from '../domain-step.ts';

/** Channels by which the host talks with programs of the guest: its agent, and who reads metrics of the host. */
export const channelsStep: DomainStep = deviceStep('channels', ({ instance, context }) => {
  const path = context.paths.downwardMetrics;
  const hasMetrics = instance.spec.domain.devices.downwardMetrics !== undefined;
  return [
    element('channel', { type: 'unix' }, [element('target', { type: 'virtio', name: 'org.qemu.guest_agent.0' })]),
    ...(hasMetrics
      ? [
          element('channel', { type: 'unix' }, [
            path === undefined ? undefined : element('source', { mode: 'bind', path }),
            element('target', { type: 'virtio', name: 'org.github.vhostmd.1' }),
          ]),
        ]
      : []),
  ];
});
