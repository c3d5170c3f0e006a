import { incapabilitiesOf, type Incapability } from '../capability/incapability.ts';
import { withoutGuestAgent } from '../capability/without-guest-agent.ts';
import { withoutMigration } from '../capability/without-migration.ts';

/** What needs a guest, for there is none; all else is written down and not acted on. */
export const testIncapabilities: readonly Incapability[] = [
  ...withoutGuestAgent,
  ...withoutMigration,
  ...incapabilitiesOf(['volumes[*].dataVolume.hotpluggable', 'volumes[*].persistentVolumeClaim.hotpluggable'], {
    reason: 'has its volumes from start to end',
    instead: 'leave it out, or use the hypervisor qemu',
  }),
  ...incapabilitiesOf(['domain.devices.downwardMetrics', 'volumes[*].memoryDump'], {
    reason: 'runs no guest that could use it',
    instead: 'leave it out, or use the hypervisor qemu',
  }),
];
