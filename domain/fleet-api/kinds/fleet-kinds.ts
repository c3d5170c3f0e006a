import type { Kind } from '@smalt/kind';

import { eviction } from './eviction.ts';
import { hypervisor } from './hypervisor.ts';
import { migration } from './migration.ts';

export const fleetKinds: readonly Kind[] = [hypervisor, eviction, migration];
