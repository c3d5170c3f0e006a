import type { OVSNodeStatus } from '@smalt/ovs-api';

import type { HealthMemory, Sighting } from './health-memory.ts';
import { memoryFromStatus } from './memory-from-status.ts';

/**
 * The memory of a judge who takes over from another one: what that one has told keeps its times, and what this one has
 * seen by itself meanwhile, such as findings that do not count yet, is not forgotten.
 */
export function inheritStatus(memory: HealthMemory, status: OVSNodeStatus | undefined): HealthMemory {
  const told = memoryFromStatus(status);
  const sightings = new Map(memory.sightings);
  for (const [key, sighting] of told.sightings) sightings.set(key, joined(sightings.get(key), sighting));
  return {
    ...memory,
    sightings,
    inherited: told.inherited,
    // The times of conditions are those of what people were told.
    conditions: told.conditions.length > 0 ? told.conditions : memory.conditions,
  };
}

function joined(own: Sighting | undefined, told: Sighting): Sighting {
  if (own === undefined) return told;
  return { ...own, detectedAt: Math.min(own.detectedAt ?? Infinity, told.detectedAt ?? Infinity) };
}
